import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { SessionWindow } from './terminal'

// Letters and digits of any script, and characters that mean the same to every shell inside quotes. fish reads only two
// backslashes, or one before a quote, as an escape.
const posix = /^(?:[\p{L}\p{M}\p{N}_@%+=:,./ "~-]|\\(?![\\']|$))+$/u
// Nothing that cmd expands or splits at, quoted or not. Parentheses have a meaning only at the begin of a command.
const cmd = /^[\p{L}\p{M}\p{N}_@+=:,./\\ ~()-]+$/u

const check = (window: SessionWindow, allowed: RegExp): void => {
  const refused = window.args.findIndex((argument) => !allowed.test(argument))
  if (refused < 0) return
  if (window.args[refused - 1] === '-l')
    throw new FailureError({ kind: 'invalid-input', field: 'user', reason: 'not-a-user-name' })
  // Hosts, ports, aliases and options contain only allowed characters, so the argument is a file name.
  throw new FailureError({ kind: 'invalid-input', field: 'identityFile', reason: 'malformed' })
}

const checkPlace = (place: string, allowed: RegExp): void => {
  if (allowed.test(place)) return
  const reason = translate('ssh.placeRefused', { place })
  throw new FailureError({ kind: 'local-fault', action: translate('ssh.connect'), reason })
}

// A path without a space is not quoted, and cmd ends the name of a program at these characters.
const cmdProgram = /^(?:[^,=]+|.* .*)$/

/** Checks a command that is typed into the user's shell. Fails with invalid-input (identityFile, user), local-fault. */
export const checkPosixOptions = (window: SessionWindow): void => {
  checkPlace(window.ssh, posix)
  check(window, posix)
}

/** Checks a command for cmd. Fails with invalid-input (identityFile, user), and local-fault for unusable folders. */
export const checkCmdOptions = (window: SessionWindow): void => {
  checkPlace(window.folder, cmd)
  checkPlace(window.ssh, cmd)
  checkPlace(window.ssh, cmdProgram)
  check(window, cmd)
}
