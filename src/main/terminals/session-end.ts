/** Exit code of ssh for its own errors, such as a lost connection. A shell may end with the same code. */
const sshFailed = 255
/** Last output of ssh after the shell ended; ssh also prints it after a lost connection. */
const shellEnded = /Connection to \S+ closed\.\s*$/
const connectionLost = /remote host[^\n]*\s+Connection to \S+ closed\.\s*$/
/** Printed by the machine: after a jump host refuses, ssh also prints that the way is closed. */
const tooManyKeys = /Too many authentication failures(?:\s+Disconnected from [^\n]*)?\s*$/
const signInRefused = new RegExp(`Permission denied \\([^)]*\\)\\.\\s*$|${tooManyKeys.source}`)
/** Sign-in failed, on the machine or on a jump host. ssh may print lines about the connection below. */
const neverBegan =
  // No line matches in two ways: a machine may print anything, and backtracking would block the application.
  /(?:Permission denied \([^)]*\)\.|Too many authentication failures|Host key verification failed\.)[^\S\n]*(?:\n(?:Disconnected from|Connection closed by|kex_exchange_identification:) [^\n]*)*\s*$/

/**
 * Returns why ssh ended, by its exit code and the end of its output. `isLost`: the connection was lost. A refused sign-in is
 * never lost: another attempt would ask again, and count as one more failure on the machine. Pure.
 */
export function sessionEnd(code: number | null, tail: string) {
  const isSshFailed = code === sshFailed
  return {
    isSignInRefused: isSshFailed && signInRefused.test(tail),
    hasTooManyKeys: isSshFailed && tooManyKeys.test(tail),
    isLost: isSshFailed && !neverBegan.test(tail) && (!shellEnded.test(tail) || connectionLost.test(tail)),
  }
}
