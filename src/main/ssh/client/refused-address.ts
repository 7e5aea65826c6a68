import type { Duplex } from 'node:stream'

/**
 * What OpenSSH's server sends in place of its version, and closes (sshd.c): to an address with a penalty (9.8 and later,
 * PerSourcePenalties: 15 seconds or more), or while too many connections wait for their sign-in (MaxStartups).
 */
const refusals: readonly (readonly [RegExp, seconds: number])[] = [
  [/^(?:debug1: .*: )?Not allowed at this time\r?$/m, 60],
  [/^(?:debug1: .*: )?Exceeded MaxStartups\r?$/m, 30],
]
/** Bytes before the version of a server that are read. */
const mostRead = 1_024

/** Seconds after which an address that was refused with this text is tried again; undefined: it was not refused. Pure. */
export const refusedFor = (text: string): number | undefined =>
  refusals.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Whether a server of this version (RFC 4253 §4.2) serves one session per connection and ends both together: tinysshd.
 * Pure.
 */
export const servesOneSession = (softwareVersion: string): boolean => softwareVersion.startsWith('tinyssh_')

/** Reads the beginning of a connection beside ssh2, which drops lines before the version of the server. */
export function watchGreeting(socket: Duplex) {
  let text = ''
  const read = (data: Buffer): void => {
    text += data.toString('latin1', 0, mostRead)
    if (text.length >= mostRead || /^SSH-.*\n/m.test(text)) socket.off('data', read)
  }
  socket.on('data', read)
  return {
    refusedFor: () => refusedFor(text),
    servesOneSession: () => servesOneSession(/^SSH-2\.0-(.*)/m.exec(text)?.[1] ?? ''),
  }
}
