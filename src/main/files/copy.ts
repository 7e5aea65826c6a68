import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { MonotonicClock } from '../core/clock'
import type { RemoteFile } from './sftp/client'
import { afterBytes, fit, lengthOf, newPiece, type Piece } from './sftp/packet'
import { SftpError } from './sftp/session'

/** Bytes of reads that are under way at once, of all files together: more than the window of the channel, so that it never runs empty. */
const readAtOnce = 10 * 1024 * 1024
/** Bytes of writes that are under way at once on one channel: twice its window. */
const writtenAtOnce = 4 * 1024 * 1024
/**
 * Seconds of what a line has just taken that are under way on several channels, and bytes however slow it is: the answers
 * that keep the connection open wait behind them.
 */
const secondsAhead = 5
const leastWritten = 2 * 1024 * 1024
/** Bytes that are read from, or written to, a disk of this computer at once. */
const blockBytes = 1024 * 1024

/** One file on its way. It can be continued: `done` bytes of it are where they belong, and `hash` has taken them. */
export interface CopiedFile {
  done: number
  /** Null before the first byte and after the last: of many files a few are on their way. */
  hash: Hash | null
}
export const newCopy = (): CopiedFile => ({ done: 0, hash: null })
const hashOf = (copy: CopiedFile): Hash => (copy.hash ??= createHash('sha256'))

/** The SHA-256 of what was copied of a file. */
export const digestSoFar = (copy: CopiedFile): string => hashOf(copy).copy().digest('hex')
/** The SHA-256 of a file that is whole. */
export function digestOf(copy: CopiedFile): string {
  const digest = hashOf(copy).digest('hex')
  copy.hash = null
  return digest
}

/** Writes all of it: a disk that is nearly full takes a piece, and refuses the rest only then. */
export async function writeWhole(file: FileHandle, pieces: readonly Buffer[], at: number): Promise<void> {
  const length = lengthOf(pieces)
  for (let done = 0; done < length;)
    done += (await file.writev(afterBytes(pieces, done), at + done)).bytesWritten
}

/** So many bytes, unless the file ends before: servers may answer with less than was asked for. */
async function readPieces(file: RemoteFile, offset: number, length: number): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = []
  for (let got = 0; got < length;) {
    const data = await file.read(offset + got, length - got)
    if (data === null) break
    pieces.push(...data)
    got += lengthOf(data)
  }
  return pieces
}

/** Keeps so many tasks under way and gives their results in order. */
async function inOrder<Result>(
  next: () => Promise<Result> | null,
  take: (result: Result) => Promise<void> | void,
  atOnce: () => number,
  signal: AbortSignal,
): Promise<void> {
  const running: Promise<Result>[] = []
  for (;;) {
    while (running.length < atOnce()) {
      const task = next()
      if (task === null) break
      task.catch(() => undefined)
      running.push(task)
    }
    const first = running.shift()
    if (first === undefined) return
    const result = await first
    signal.throwIfAborted()
    await take(result)
  }
}

export interface CopyDeps {
  readonly copy: CopiedFile
  /** Bytes that the whole file has. */
  readonly size: number
  readonly signal: AbortSignal
  readonly clock: Pick<MonotonicClock, 'monotonic'>
  /** Large files that are copied at once, and share the requests. */
  sharing(): number
  /** So many bytes more are where they belong. */
  moved(bytes: number): void
}

/** Counts bytes that follow those of the copy and are where they belong. */
export function taken({ copy, moved }: Pick<CopyDeps, 'copy' | 'moved'>, pieces: readonly Buffer[]): void {
  const bytes = lengthOf(pieces)
  for (const piece of pieces) hashOf(copy).update(piece)
  copy.done += bytes
  moved(bytes)
}

/** Reads a file whose size is reported as 0 to its end, one piece after the other: files of /proc have content. */
async function downloadUnsized(
  deps: CopyDeps,
  from: RemoteFile,
  to: FileHandle,
  readBytes: number,
): Promise<void> {
  for (;;) {
    deps.signal.throwIfAborted()
    const pieces = await from.read(deps.copy.done, readBytes)
    if (pieces === null) return
    await writeWhole(to, pieces, deps.copy.done)
    taken(deps, pieces)
  }
}

/** Copies from a machine. If the file ends before `size`, so does the copy; a size of 0 is not believed. */
export async function download(
  deps: CopyDeps,
  from: RemoteFile,
  to: FileHandle,
  readBytes: number,
): Promise<void> {
  const { copy, size, signal, sharing } = deps
  if (size === 0) return downloadUnsized(deps, from, to, readBytes)
  let asked = copy.done
  let batch: Buffer[] = []
  let isOver = false
  const flush = async (): Promise<void> => {
    if (lengthOf(batch) === 0) return
    await writeWhole(to, batch, copy.done)
    taken(deps, batch)
    batch = []
  }
  const copied = inOrder(
    () => {
      if (isOver || asked >= size) return null
      const length = Math.min(readBytes, size - asked)
      asked += length
      return readPieces(from, asked - length, length).then((data) => ({ data, length }))
    },
    async ({ data, length }) => {
      if (isOver) return
      batch.push(...data)
      isOver = lengthOf(data) < length
      if (lengthOf(batch) >= blockBytes) await flush()
    },
    () => Math.ceil(readAtOnce / readBytes / sharing()),
    signal,
  )
  try {
    await copied
  } catch (error) {
    // What has arrived before the line was lost need not be fetched again.
    if (!signal.aborted) await flush().catch(() => undefined)
    throw error
  }
  await flush()
}

/** Bytes a second that a copy grew by in the last five to ten seconds. */
function recentSpeed({ copy, clock }: CopyDeps): () => number {
  const sample = () => ({ at: clock.monotonic(), done: copy.done })
  let before = sample()
  let last = before
  return () => {
    const now = sample()
    if (now.at - last.at >= secondsAhead) [before, last] = [last, now]
    return now.at > before.at ? (now.done - before.done) / (now.at - before.at) : 0
  }
}

/**
 * Writes on a channel. What one beside the first has not acknowledged when it ends goes over the first. Answers whether the
 * memory may be used again: a channel that ended may still be sending it.
 */
async function writeOn(
  channel: RemoteFile,
  to: [RemoteFile, ...RemoteFile[]],
  offset: number,
  piece: Piece,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await channel.write(offset, piece)
    return true
  } catch (error) {
    if (channel === to[0] || error instanceof SftpError || signal.aborted) throw error
    const place = to.indexOf(channel)
    if (place > 0) to.splice(place, 1)
    await to[0].write(offset, piece)
    return false
  }
}

/** Sends a file whose size is reported as 0 to its end, one piece after the other. */
async function uploadUnsized(
  deps: CopyDeps,
  from: FileHandle,
  to: RemoteFile,
  writeBytes: number,
): Promise<void> {
  const piece = newPiece(writeBytes)
  for (;;) {
    deps.signal.throwIfAborted()
    fit(piece, writeBytes)
    const { bytesRead } = await from.read(piece.content, 0, writeBytes, deps.copy.done)
    if (bytesRead === 0) return
    fit(piece, bytesRead)
    await to.write(deps.copy.done, piece)
    taken(deps, [piece.content])
  }
}

/**
 * Copies to a machine. If the file ends before `size`, so does the copy; a size of 0 is not believed. `to`: the file, opened on each channel, of which
 * there may become more, or fewer, while it is copied.
 */
export async function upload(
  deps: CopyDeps,
  from: FileHandle,
  to: [RemoteFile, ...RemoteFile[]],
  writeBytes: number,
): Promise<void> {
  const { copy, size, signal, sharing } = deps
  if (size === 0) return uploadUnsized(deps, from, to[0], writeBytes)
  const speed = recentSpeed(deps)
  const mostUnderWay = (): number =>
    to.length === 1
      ? writtenAtOnce
      : Math.min(writtenAtOnce * to.length, Math.max(leastWritten, speed() * secondsAhead))
  const blockSize = writeBytes * Math.max(1, Math.floor(blockBytes / writeBytes))
  let count = 0
  const begin = copy.done
  let asked = begin
  let block: Promise<readonly Piece[]> = Promise.resolve([])
  let isOver = false
  /** Used again: of 64 MB that are let go V8 collects all garbage there is. */
  const free: Piece[] = []
  const readBlock = async (offset: number): Promise<readonly Piece[]> => {
    const bytes = Math.min(blockSize, size - offset)
    const pieces = Array.from({ length: Math.ceil(bytes / writeBytes) }, (_, index) => {
      const piece = free.pop() ?? newPiece(writeBytes)
      fit(piece, Math.min(writeBytes, bytes - index * writeBytes))
      return piece
    })
    const contents = pieces.map(({ content }) => content)
    let length = 0
    for (let read = 1; read > 0 && length < bytes; length += read)
      read = (await from.readv(afterBytes(contents, length), offset + length)).bytesRead
    for (const [index, piece] of pieces.entries())
      fit(piece, Math.min(writeBytes, Math.max(0, length - index * writeBytes)))
    return pieces
  }
  await inOrder(
    () => {
      if (isOver || asked >= size) return null
      const offset = asked
      const at = (offset - begin) % blockSize
      if (at === 0) block = readBlock(offset)
      asked = Math.min(offset + writeBytes, size)
      const channel = to[(count += 1) % to.length] ?? to[0]
      const length = asked - offset
      return block.then(async (pieces) => {
        const piece = pieces[at / writeBytes] ?? newPiece(0)
        const isFree = piece.content.length === 0 || (await writeOn(channel, to, offset, piece, signal))
        return { piece, length, isFree }
      })
    },
    ({ piece, length, isFree }) => {
      if (isOver) return
      const { content } = piece
      isOver = content.length < length
      taken(deps, [content])
      if (isFree) free.push(piece)
    },
    () => Math.ceil(mostUnderWay() / writeBytes / sharing()),
    signal,
  )
}
