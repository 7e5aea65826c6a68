import type { MonotonicClock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import { commandsOf, openOwn, extraChannels } from './sessions'
import { safeBytes, type RemoteFile, type Sftp } from './sftp/client'

export interface TransferChannel {
  readonly sftp: Sftp
  readonly exec: SshConnection['exec']
  readonly pipe: SshConnection['pipe']
  readonly signsInAgain?: SshConnection['signsInAgain']
  readonly clock: Pick<MonotonicClock, 'after' | 'monotonic'>
  readonly readBytes: number
  readonly writeBytes: number
  /** Whether the machine answers so fast that the processor, not the connection, limits a copy. Never rejects. */
  readonly near: Promise<boolean>
  /** Opens extra channels, each with its own window, if the machine is far. */
  others(): readonly Promise<Sftp>[]
}

/** Seconds for a request and its answer at which the window of one channel carries less than a gigabit a second. */
const farSeconds = 0.02
/** Bytes of one read or write: the C library maps new memory for each buffer from 128 KiB. */
const maxRequestBytes = 128 * 1024 - 512
/** Reads and writes over one channel to a far machine: short, because the connection may be slow. */
export const oneChannel: Pick<TransferChannel, 'readBytes' | 'writeBytes' | 'near' | 'others'> = {
  readBytes: safeBytes,
  writeBytes: safeBytes,
  near: Promise.resolve(false),
  others: () => [],
}

export async function openTransferChannel(
  connection: SshConnection,
  clock: MonotonicClock,
  signal?: AbortSignal,
): Promise<{ readonly channel: TransferChannel; close(): void }> {
  const sftp = await openOwn(connection, clock, signal)
  let isFar = false
  let readBytes = safeBytes
  let writeBytes = safeBytes
  /** Measures the distance by one request, so that the start of the server does not count. */
  const measure = async (): Promise<boolean> => {
    const began = clock.monotonic()
    const [, limits] = await Promise.all([
      sftp.realPath('.').finally(() => (isFar = clock.monotonic() - began >= farSeconds)),
      sftp.limits(),
    ])
    if (isFar) return false
    readBytes = Math.min(limits.read, maxRequestBytes)
    writeBytes = Math.min(limits.write, maxRequestBytes)
    return true
  }
  // Settles before the job has opened a file. The job's own requests detect a lost connection.
  const near = measure().catch(() => false)
  const others = extraChannels(connection, clock, signal)
  const { signsInAgain } = connection
  return {
    channel: {
      sftp,
      clock,
      near,
      ...commandsOf(connection, clock),
      ...(signsInAgain && { signsInAgain }),
      get readBytes() {
        return readBytes
      },
      get writeBytes() {
        return writeBytes
      },
      others: () => (isFar ? others.open() : []),
    },
    close() {
      sftp.close()
      others.close()
    },
  }
}

const minSharedBytes = 8 * 1024 * 1024

/** Opens a copy of so many bytes on extra channels, and adds it to `opened`. Returns a function that closes it there. */
export function openOnOthers(
  { others }: TransferChannel,
  path: string,
  bytes: number,
  opened: RemoteFile[],
): () => Promise<void> {
  let isOver = false
  const openOn = async (sftp: Sftp): Promise<void> => {
    const file = await sftp.open(path, 'part')
    if (isOver) await file.close()
    else opened.push(file)
  }
  // The copy does not wait for these channels.
  if (bytes >= minSharedBytes) for (const opening of others()) opening.then(openOn).catch(() => undefined)
  return async () => {
    const closing = isOver ? [] : opened.slice(1).map((file) => file.close())
    isOver = true
    await Promise.allSettled(closing)
  }
}
