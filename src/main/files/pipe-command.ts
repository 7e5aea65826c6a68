import type { Duplex } from 'node:stream'
import { ChannelError } from '../ssh/client/transport'
import type { TransferChannel } from './transfer-channel'

/** Seconds in which the machine neither accepts nor sends data. */
const silenceTimeoutSeconds = 60

/** Runs a command with a stream, until `use` ends or the machine is silent. `use` calls `alive` when data was transferred. */
export async function withPipe(
  {
    channel,
    signal,
  }: { readonly channel: Pick<TransferChannel, 'pipe' | 'clock'>; readonly signal: AbortSignal },
  command: string,
  use: (stream: Duplex, ended: Promise<unknown>, alive: () => void) => Promise<void>,
): Promise<void> {
  const { stream, exit } = await channel.pipe(command, signal)
  const giveUp = (): void => void stream.destroy(new ChannelError('lost', 'ETIMEDOUT'))
  let cancel = channel.clock.after(silenceTimeoutSeconds, giveUp)
  stream.on('error', () => undefined)
  // The machine may never report the exit status.
  const closed = new Promise<void>((resolve, reject) =>
    stream.once('close', () => (stream.errored ? reject(stream.errored) : resolve())),
  )
  const ended = Promise.race([exit, closed])
  // `use` may not await it.
  ended.catch(() => undefined)
  try {
    await use(stream, ended, () => {
      cancel()
      cancel = channel.clock.after(silenceTimeoutSeconds, giveUp)
    })
  } finally {
    cancel()
    stream.destroy()
  }
}

export const send = (stream: Duplex, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(data, (error) => (error ? reject(error) : resolve()))
  })
