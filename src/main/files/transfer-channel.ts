import type { MonotonicClock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import { commandsOf, openOwn, otherChannels } from './sessions'
import { everyServerTakes, type RemoteFile, type Sftp } from './sftp/client'

/** What a job needs of the machine while it runs. */
export interface TransferChannel {
  readonly sftp: Sftp
  readonly exec: SshConnection['exec']
  readonly pipe: SshConnection['pipe']
  readonly signsInAgain?: SshConnection['signsInAgain']
  readonly clock: Pick<MonotonicClock, 'after' | 'monotonic'>
  /** Bytes of one read, and of one write. */
  readonly readBytes: number
  readonly writeBytes: number
  /** Whether a request is answered so soon that the processor, not the line, bounds a copy. Never rejects. */
  readonly near: Promise<boolean>
  /** More channels, each with a window of its own, where the machine is far and opens them. */
  others(): readonly Promise<Sftp>[]
}

/** Seconds for a request and its answer from which on one channel's window carries less than a gigabit a second. */
const far = 0.02
/** Bytes of one read or write at most: the C library maps memory anew for each buffer from 128 KiB on. */
const mostBytes = 128 * 1024 - 512
/** Each read and write is answered: on a far line, which may be slow, they are short. */
export const oneChannel: Pick<TransferChannel, 'readBytes' | 'writeBytes' | 'near' | 'others'> = {
  readBytes: everyServerTakes,
  writeBytes: everyServerTakes,
  near: Promise.resolve(false),
  others: () => [],
}

/** Opens SFTP on a connection for one job. */
export async function openLine(
  connection: SshConnection,
  clock: MonotonicClock,
  signal?: AbortSignal,
): Promise<{ readonly line: TransferChannel; close(): void }> {
  const sftp = await openOwn(connection, clock, signal)
  let isFar = false
  let limits = { read: everyServerTakes, write: everyServerTakes }
  /** One request says how far the machine is: how long it takes to start its server is no matter. */
  const measure = async (): Promise<void> => {
    const began = clock.monotonic()
    const [, said] = await Promise.all([
      sftp.realPath('.').finally(() => (isFar = clock.monotonic() - began >= far)),
      sftp.limits(),
    ])
    if (!isFar) limits = { read: Math.min(said.read, mostBytes), write: Math.min(said.write, mostBytes) }
  }
  // Answered before the job has opened a file. A line that is lost meanwhile is found by its own requests.
  const near = measure().then(
    () => !isFar,
    () => false,
  )
  const others = otherChannels(connection, clock, signal)
  const { signsInAgain } = connection
  return {
    line: {
      sftp,
      clock,
      near,
      ...commandsOf(connection, clock),
      ...(signsInAgain && { signsInAgain }),
      get readBytes() {
        return limits.read
      },
      get writeBytes() {
        return limits.write
      },
      others: () => (isFar ? others.open() : []),
    },
    close() {
      sftp.close()
      others.close()
    },
  }
}

/** Bytes of a copy for which other channels are opened. */
const worthOthers = 8 * 1024 * 1024

/** Adds a copy of so many bytes, as other channels open it, to `opened`. The answer closes it there. */
export function openElsewhere(
  { others }: TransferChannel,
  path: string,
  bytes: number,
  opened: RemoteFile[],
): () => Promise<void> {
  let isOver = false
  const join = async (sftp: Sftp): Promise<void> => {
    const file = await sftp.open(path, 'part')
    if (isOver) await file.close()
    else opened.push(file)
  }
  // Nobody waits for one that opens late.
  if (bytes >= worthOthers) for (const channel of others()) channel.then(join).catch(() => undefined)
  return async () => {
    const closing = isOver ? [] : opened.slice(1).map((file) => file.close())
    isOver = true
    await Promise.allSettled(closing)
  }
}
