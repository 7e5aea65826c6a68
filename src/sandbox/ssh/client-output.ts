import { once } from 'node:events'
import type { ServerChannel } from 'ssh2'

export interface ClientOutput {
  /** Rejects with an AbortError when `signal` is aborted. */
  write(data: string | Buffer, signal: AbortSignal, to?: 'stdout' | 'stderr'): Promise<void>
}

/** Adds a carriage return before each line feed. Latin-1 preserves every byte. */
export const forTerminal = (data: string | Buffer): Buffer =>
  Buffer.from(
    (typeof data === 'string' ? Buffer.from(data) : data).toString('latin1').replaceAll('\n', '\r\n'),
    'latin1',
  )

/**
 * Creates the output of a session. `terminal`: whether it has a terminal. `waitForDrain`: waits for the connection,
 * because a client may announce a window of gigabytes and then not read.
 */
export function createClientOutput(
  channel: ServerChannel,
  terminal: boolean,
  waitForDrain: (signal: AbortSignal) => Promise<void>,
): ClientOutput {
  return {
    write: async (data, signal, to = 'stdout') => {
      if (data.length === 0) return
      // A terminal has only one stream.
      const stream = to === 'stderr' && !terminal ? channel.stderr : channel
      if (!stream.write(terminal ? forTerminal(data) : data)) await once(stream, 'drain', { signal })
      await waitForDrain(signal)
    },
  }
}
