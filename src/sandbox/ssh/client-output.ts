import { once } from 'node:events'
import type { ServerChannel } from 'ssh2'

/** What a program writes to its client, waiting while the client does not read. */
export interface ClientOutput {
  /** Rejects with an AbortError when `signal` says that nobody waits for the rest. */
  write(data: string | Buffer, signal: AbortSignal, to?: 'stdout' | 'stderr'): Promise<void>
}

/** Terminals want a carriage return before each line feed; latin1 keeps every byte as it is. */
const forTerminal = (data: string | Buffer): Buffer =>
  Buffer.from(
    (typeof data === 'string' ? Buffer.from(data) : data).toString('latin1').replaceAll('\n', '\r\n'),
    'latin1',
  )

/**
 * `terminal`: the client gave the session one. `drained` waits for the connection itself, because a client may announce
 * a window of gigabytes and then read nothing.
 */
export function createClientOutput(
  channel: ServerChannel,
  terminal: boolean,
  drained: (signal: AbortSignal) => Promise<void>,
): ClientOutput {
  return {
    write: async (data, signal, to = 'stdout') => {
      if (data.length === 0) return
      // In a terminal there is one stream for both.
      const stream = to === 'stderr' && !terminal ? channel.stderr : channel
      if (!stream.write(terminal ? forTerminal(data) : data)) await once(stream, 'drain', { signal })
      await drained(signal)
    },
  }
}
