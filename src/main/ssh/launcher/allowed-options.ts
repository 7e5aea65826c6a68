import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { SessionWindow } from './terminal'

// Letters and digits of any script, and signs that mean the same to every shell once quoted. fish reads an escape only in
// two backslashes, and in one before a quote.
const posix = /^(?:[\p{L}\p{M}\p{N}_@%+=:,./ "~-]|\\(?![\\']|$))+$/u
// Nothing that cmd expands or splits at, quoted or not. Parentheses mean something only where a command begins.
const cmd = /^[\p{L}\p{M}\p{N}_@+=:,./\\ ~()-]+$/u

const check = (window: SessionWindow, allowed: RegExp): void => {
  const other = window.args.findIndex((argument) => !allowed.test(argument))
  if (other < 0) return
  if (window.args[other - 1] === '-l')
    throw new FailureError({ kind: 'invalid-input', field: 'user', reason: 'not-a-user-name' })
  // Hosts, ports, aliases and options hold nothing else by construction: what is left is the name of a file.
  throw new FailureError({ kind: 'invalid-input', field: 'identityFile', reason: 'malformed' })
}

const checkPlace = (place: string, allowed: RegExp): void => {
  if (allowed.test(place)) return
  const reason = translate('ssh.placeRefused', { place })
  throw new FailureError({ kind: 'local-fault', action: translate('ssh.connect'), reason })
}

// Without a blank it stands unquoted, and cmd ends the name of a program at these.
const cmdProgram = /^(?:[^,=]+|.* .*)$/

/** For terminals that type the command into the person's shell. Fails with invalid-input (identityFile, user), local-fault. */
export const checkPosixOptions = (window: SessionWindow): void => {
  checkPlace(window.ssh, posix)
  check(window, posix)
}

/** For cmd. Fails with invalid-input (identityFile, user), and local-fault where it cannot read its folder or that of ssh. */
export const checkCmdOptions = (window: SessionWindow): void => {
  checkPlace(window.folder, cmd)
  checkPlace(window.ssh, cmd)
  checkPlace(window.ssh, cmdProgram)
  check(window, cmd)
}
