import { once } from 'node:events'
import type { ServerChannel } from 'ssh2'
import type { Output } from './command'

/** Terminals want a carriage return before each line feed; latin1 keeps every byte as it is. */
const forTerminal = (data: string | Buffer): Buffer =>
  Buffer.from(
    (typeof data === 'string' ? Buffer.from(data) : data).toString('latin1').replaceAll('\n', '\r\n'),
    'latin1',
  )

/**
 * Writes to the client and waits while it does not read, so that no more than ssh2's window (2 MiB) is kept for it.
 * Rejects with an AbortError when `signal` says that nobody waits for the rest.
 */
export async function writeTo(
  channel: ServerChannel,
  { to, data }: Output,
  terminal: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (data.length === 0) return
  const bytes = terminal ? forTerminal(data) : data
  // In a terminal there is one stream for both.
  const stream = to === 'stderr' && !terminal ? channel.stderr : channel
  if (!stream.write(bytes)) await once(stream, 'drain', { signal })
}
