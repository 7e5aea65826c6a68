import type { Duplex } from 'node:stream'

/**
 * Lines that OpenSSH's server sends instead of its version before it closes (sshd.c): to an address with a penalty (9.8 and
 * later, PerSourcePenalties: 15 seconds or more), or while too many sign-ins are pending (MaxStartups).
 */
const refusals: readonly (readonly [RegExp, seconds: number])[] = [
  [/^(?:debug1: .*: )?Not allowed at this time\r?$/m, 60],
  [/^(?:debug1: .*: )?Exceeded MaxStartups\r?$/m, 30],
]
/** Bytes that are read up to the version of a server. */
const maxGreetingBytes = 1_024

/** Returns the seconds after which a refused address is tried again; undefined: the text is no refusal. */
export const refusedFor = (text: string): number | undefined =>
  refusals.find(([pattern]) => pattern.test(text))?.[1]

/** Whether a server of this version (RFC 4253 §4.2) serves one session per connection and ends both together: tinysshd. */
export const servesOneSession = (softwareVersion: string): boolean => softwareVersion.startsWith('tinyssh_')

/** Reads the first lines of a connection, since ssh2 drops lines before the version of the server. */
export function watchGreeting(socket: Duplex) {
  let text = ''
  const read = (data: Buffer): void => {
    text += data.toString('latin1', 0, maxGreetingBytes)
    if (text.length >= maxGreetingBytes || /^SSH-.*\n/m.test(text)) socket.off('data', read)
  }
  socket.on('data', read)
  return {
    refusedFor: () => refusedFor(text),
    servesOneSession: () => servesOneSession(/^SSH-2\.0-(.*)/m.exec(text)?.[1] ?? ''),
  }
}
