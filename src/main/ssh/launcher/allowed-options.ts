import { FailureError } from '#shared/failure'
import type { SessionWindow } from './terminal'

// Letters and digits of any script, and signs that mean the same to every shell once quoted.
const posix = /^[\p{L}\p{M}\p{N}_@%+=:,./ "~-]+$/u
// Nothing that cmd expands or splits at, quoted or not.
const cmd = /^[\p{L}\p{M}\p{N}_@+=:,./\\ ~-]+$/u

const check = (window: SessionWindow, extra: readonly string[], allowed: RegExp): void => {
  if ([window.ssh, ...extra, ...window.args].every((part) => allowed.test(part))) return
  // Users, hosts, ports, aliases and options hold nothing else by construction: what is left is the name of a file.
  throw new FailureError({ kind: 'invalid-input', field: 'identityFile', reason: 'malformed' })
}

/** For terminals that type the command into the person's shell. Fails with invalid-input (identityFile). */
export const checkPosixOptions = (window: SessionWindow): void => check(window, [], posix)

/** For cmd. Fails with invalid-input (identityFile). */
export const checkCmdOptions = (window: SessionWindow): void => check(window, [window.folder], cmd)
