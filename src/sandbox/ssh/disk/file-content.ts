import { DiskError } from './disk-error'
import type { Quota } from './quota'

/** Bytes of one file. Offsets and sizes are bytes. */
export interface FileContent {
  size(): number
  /** Returns up to `length` bytes from `offset`; empty at the end. */
  read(offset: number, length: number): Buffer
  /** Throws ENOSPC without a change if the disk is full. */
  write(offset: number, data: Uint8Array): void
  /** Truncates, or extends with zeros. */
  resize(size: number): void
}

// The quota counts pages. An unwritten page uses no memory and reads as zeros. The capacity of a written page is the next
// power of two of its content, so that small files need little memory.
const pageSize = 32 * 1024
const smallestPage = 256

const capacityFor = (length: number): number => {
  let capacity = smallestPage
  while (capacity < length) capacity *= 2
  return capacity
}

interface Piece {
  readonly page: number
  readonly start: number
  readonly end: number
}

function piecesOf(offset: number, length: number): readonly Piece[] {
  const pieces: Piece[] = []
  const end = offset + length
  for (let position = offset; position < end;) {
    const start = position % pageSize
    const piece = {
      page: Math.floor(position / pageSize),
      start,
      end: Math.min(pageSize, start + end - position),
    }
    pieces.push(piece)
    position += piece.end - piece.start
  }
  return pieces
}

export function createFileContent(quota: Quota): FileContent {
  const pages = new Map<number, Buffer>()
  let size = 0

  const limit = (end: number) => {
    if (!Number.isSafeInteger(end) || end < 0) throw new DiskError('EINVAL')
    if (end > quota.total) throw new DiskError('ENOSPC')
  }

  return {
    size: () => size,
    read: (offset, length) => {
      const wanted = Math.max(0, Math.min(length, size - offset))
      const result = Buffer.alloc(wanted)
      for (const { page, start, end } of piecesOf(offset, wanted)) {
        pages.get(page)?.copy(result, page * pageSize + start - offset, start, end)
      }
      return result
    },
    write: (offset, data) => {
      limit(offset + data.length)
      const pieces = piecesOf(offset, data.length)
      const growing = pieces.flatMap(({ page, end }) => {
        const present = pages.get(page)?.length ?? 0
        return end > present ? [{ page, capacity: capacityFor(end), present }] : []
      })
      quota.reserve(growing.reduce((bytes, { capacity, present }) => bytes + capacity - present, 0))
      for (const { page, capacity } of growing) {
        const grown = Buffer.alloc(capacity)
        pages.get(page)?.copy(grown)
        pages.set(page, grown)
      }
      for (const { page, start, end } of pieces) {
        const from = page * pageSize + start - offset
        pages.get(page)?.set(data.subarray(from, from + end - start), start)
      }
      if (data.length > 0) size = Math.max(size, offset + data.length)
    },
    resize: (target) => {
      limit(target)
      for (const [page, bytes] of pages) {
        if (page * pageSize < target) continue
        pages.delete(page)
        quota.release(bytes.length)
      }
      // Truncated bytes must not reappear when the file grows.
      if (target < size) pages.get(Math.floor(target / pageSize))?.fill(0, target % pageSize)
      size = target
    },
  }
}
