import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { MonotonicClock } from '../core/clock'
import type { RemoteFile } from './sftp/client'
import { afterBytes, fit, lengthOf, newPiece, type Piece } from './sftp/packet'
import { SftpError } from './sftp/session'

/** Bytes of parallel reads of all files: more than the window of the channel, so that it never runs empty. */
const parallelReadBytes = 10 * 1024 * 1024
/** Bytes of parallel writes on one channel: twice its window. */
const parallelWriteBytes = 4 * 1024 * 1024
/**
 * Seconds of recent speed that are written ahead on several channels. The answers that keep the connection open wait behind
 * these bytes.
 */
const secondsAhead = 5
const minWriteBytes = 2 * 1024 * 1024
const blockBytes = 1024 * 1024

/** State of a copy, which can continue: `done` bytes are at the destination and in `hash`. */
export interface CopiedFile {
  done: number
  /** Null before the first byte and after the last, to save memory. */
  hash: Hash | null
}
export const newCopy = (): CopiedFile => ({ done: 0, hash: null })
const hashOf = (copy: CopiedFile): Hash => (copy.hash ??= createHash('sha256'))

export const digestSoFar = (copy: CopiedFile): string => hashOf(copy).copy().digest('hex')
export function digestOf(copy: CopiedFile): string {
  const digest = hashOf(copy).digest('hex')
  copy.hash = null
  return digest
}

/** Writes all pieces. A nearly full disk writes a part, and fails only at the next write. */
export async function writeWhole(file: FileHandle, pieces: readonly Buffer[], at: number): Promise<void> {
  const length = lengthOf(pieces)
  for (let done = 0; done < length;)
    done += (await file.writev(afterBytes(pieces, done), at + done)).bytesWritten
}

/** Reads `length` bytes, or up to the end of the file. Servers may return less than requested. */
async function readPieces(file: RemoteFile, offset: number, length: number): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = []
  for (let done = 0; done < length;) {
    const data = await file.read(offset + done, length - done)
    if (data === null) break
    pieces.push(...data)
    done += lengthOf(data)
  }
  return pieces
}

/** Runs `parallel()` tasks at a time, and passes their results to `take` in order. */
async function inOrder<Result>(
  next: () => Promise<Result> | null,
  take: (result: Result) => Promise<void> | void,
  parallel: () => number,
  signal: AbortSignal,
): Promise<void> {
  const running: Promise<Result>[] = []
  for (;;) {
    while (running.length < parallel()) {
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
  readonly size: number
  readonly signal: AbortSignal
  readonly clock: Pick<MonotonicClock, 'monotonic'>
  /** Number of large files that share the parallel requests. */
  sharing(): number
  /** So many more bytes are at the destination. */
  moved(bytes: number): void
}

export function countCopied(
  { copy, moved }: Pick<CopyDeps, 'copy' | 'moved'>,
  pieces: readonly Buffer[],
): void {
  const bytes = lengthOf(pieces)
  for (const piece of pieces) hashOf(copy).update(piece)
  copy.done += bytes
  moved(bytes)
}

/** Reads a file with the reported size 0 up to its end, in sequence. Files of /proc have content. */
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
    countCopied(deps, pieces)
  }
}

/** Copies a file from a machine. If the file ends before `size`, so does the copy. A size of 0 may be wrong. */
export async function download(
  deps: CopyDeps,
  from: RemoteFile,
  to: FileHandle,
  readBytes: number,
): Promise<void> {
  const { copy, size, signal, sharing } = deps
  if (size === 0) return downloadUnsized(deps, from, to, readBytes)
  let offset = copy.done
  let batch: Buffer[] = []
  let isOver = false
  const flush = async (): Promise<void> => {
    if (lengthOf(batch) === 0) return
    await writeWhole(to, batch, copy.done)
    countCopied(deps, batch)
    batch = []
  }
  const copied = inOrder(
    () => {
      if (isOver || offset >= size) return null
      const length = Math.min(readBytes, size - offset)
      offset += length
      return readPieces(from, offset - length, length).then((data) => ({ data, length }))
    },
    async ({ data, length }) => {
      if (isOver) return
      batch.push(...data)
      isOver = lengthOf(data) < length
      if (lengthOf(batch) >= blockBytes) await flush()
    },
    () => Math.ceil(parallelReadBytes / readBytes / sharing()),
    signal,
  )
  try {
    await copied
  } catch (error) {
    if (!signal.aborted) await flush().catch(() => undefined)
    throw error
  }
  await flush()
}

/** Returns a function that measures the bytes a second of the last five to ten seconds. */
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
 * Writes on a channel. If an extra channel ends, writes on the first. Returns whether the memory may be used again: a channel
 * that ended may still be sending it.
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
    const index = to.indexOf(channel)
    if (index > 0) to.splice(index, 1)
    await to[0].write(offset, piece)
    return false
  }
}

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
    countCopied(deps, [piece.content])
  }
}

/**
 * Reads blocks of a file as pieces of one write each. `release` returns a piece to use its memory again: releasing 64 MB makes
 * V8 collect all garbage.
 */
function blockReader(from: FileHandle, size: number, blockSize: number, writeBytes: number) {
  const free: Piece[] = []
  return {
    async read(offset: number): Promise<readonly Piece[]> {
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
    },
    release: (piece: Piece): void => void free.push(piece),
  }
}

/**
 * Copies a file to a machine. If the file ends before `size`, so does the copy. A size of 0 may be wrong. `to`: the file on each
 * channel; channels may be added and removed during the copy.
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
  const maxAheadBytes = (): number =>
    to.length === 1
      ? parallelWriteBytes
      : Math.min(parallelWriteBytes * to.length, Math.max(minWriteBytes, speed() * secondsAhead))
  const blockSize = writeBytes * Math.max(1, Math.floor(blockBytes / writeBytes))
  const blocks = blockReader(from, size, blockSize, writeBytes)
  let count = 0
  const begin = copy.done
  let nextOffset = begin
  let block: Promise<readonly Piece[]> = Promise.resolve([])
  let isOver = false
  await inOrder(
    () => {
      if (isOver || nextOffset >= size) return null
      const offset = nextOffset
      const at = (offset - begin) % blockSize
      if (at === 0) block = blocks.read(offset)
      nextOffset = Math.min(offset + writeBytes, size)
      const channel = to[(count += 1) % to.length] ?? to[0]
      const length = nextOffset - offset
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
      countCopied(deps, [content])
      if (isFree) blocks.release(piece)
    },
    () => Math.ceil(maxAheadBytes() / writeBytes / sharing()),
    signal,
  )
}
