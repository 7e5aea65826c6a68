import type { Duplex } from 'node:stream'
import { ChannelError } from '../ssh/client/transport'
import type { TransferChannel } from './transfer-channel'

/** Seconds that the machine may neither take nor send anything. */
const silenceTimeoutSeconds = 60

/** Runs a command of the machine between two streams, which end with `use`, or after a silence: `alive` ends one. */
export async function withPipe(
  { line, signal }: { readonly line: Pick<TransferChannel, 'pipe' | 'clock'>; readonly signal: AbortSignal },
  command: string,
  use: (stream: Duplex, ended: Promise<unknown>, alive: () => void) => Promise<void>,
): Promise<void> {
  const { stream, exit } = await line.pipe(command, signal)
  const giveUp = (): void => void stream.destroy(new ChannelError('lost', 'ETIMEDOUT'))
  let cancel = line.clock.after(silenceTimeoutSeconds, giveUp)
  stream.on('error', () => undefined)
  // The machine may never say how the command has ended.
  const closed = new Promise<void>((resolve, reject) =>
    stream.once('close', () => (stream.errored ? reject(stream.errored) : resolve())),
  )
  const ended = Promise.race([exit, closed])
  // Nobody may wait for it.
  ended.catch(() => undefined)
  try {
    await use(stream, ended, () => {
      cancel()
      cancel = line.clock.after(silenceTimeoutSeconds, giveUp)
    })
  } finally {
    cancel()
    stream.destroy()
  }
}

/** Settles once the line has taken all of it. */
export const send = (stream: Duplex, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(data, (error) => (error ? reject(error) : resolve()))
  })
