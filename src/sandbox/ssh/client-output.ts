import { once } from 'node:events'
import type { ServerChannel } from 'ssh2'

export interface ClientOutput {
  /** Rejects with an AbortError when `signal` is aborted. */
  write(data: string | Buffer, signal: AbortSignal, to?: 'stdout' | 'stderr'): Promise<void>
}

/** Bytes that programs write to a pipe at once. */
const blockBytes = 4_096

/** Adds a carriage return before each line feed. Latin-1 preserves every byte. */
export const forTerminal = (data: string | Buffer): Buffer =>
  Buffer.from(
    (typeof data === 'string' ? Buffer.from(data) : data).toString('latin1').replaceAll('\n', '\r\n'),
    'latin1',
  )

/** Gathers blocks that are written together, as the pipe of a program does: a packet for each line costs the client more. */
function createPipe(channel: ServerChannel, waitForDrain: (signal: AbortSignal) => Promise<void>) {
  let pending: Buffer[] = []
  let size = 0
  let target: ServerChannel | ServerChannel['stderr'] = channel
  async function flush(signal: AbortSignal): Promise<void> {
    if (size === 0) return
    const data = Buffer.concat(pending)
    pending = []
    size = 0
    if (!target.write(data)) await once(target, 'drain', { signal })
    await waitForDrain(signal)
  }
  return {
    flush,
    write: async (data: string | Buffer, signal: AbortSignal, to?: 'stdout' | 'stderr'): Promise<void> => {
      const stream = to === 'stderr' ? channel.stderr : channel
      if (stream !== target) await flush(signal)
      target = stream
      if (size === 0) setImmediate(() => void flush(signal).catch(() => undefined))
      const block = Buffer.from(data)
      pending.push(block)
      size += block.length
      if (size >= blockBytes) await flush(signal)
    },
  }
}

/**
 * Creates the output of a session. `terminal`: whether it has a terminal. `waitForDrain`: waits for the connection,
 * because a client may announce a window of gigabytes and then not read.
 */
export function createClientOutput(
  channel: ServerChannel,
  terminal: boolean,
  waitForDrain: (signal: AbortSignal) => Promise<void>,
): ClientOutput & { flush(signal: AbortSignal): Promise<void> } {
  if (!terminal) return createPipe(channel, waitForDrain)
  return {
    flush: () => Promise.resolve(),
    // A terminal has only one stream.
    write: async (data, signal) => {
      if (data.length === 0) return
      if (!channel.write(forTerminal(data))) await once(channel, 'drain', { signal })
      await waitForDrain(signal)
    },
  }
}
