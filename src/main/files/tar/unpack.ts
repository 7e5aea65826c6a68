import { blockSize, paddingOf, readHeader } from './header'

export interface TarFile {
  /** Path in the archive: untrusted text. */
  readonly path: string
  /** `other`: a link, a device or a folder, without data. */
  readonly kind: 'file' | 'other'
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null
  readonly data: Buffer
}

/** Bytes of a long name or of pax records, and number of such headers before an entry. */
const maxMetaBytes = 16 * 1024
const maxMetaHeaders = 4

function reader(source: AsyncIterable<Buffer>): (length: number) => Promise<Buffer | null> {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (length) => {
    const pieces = [rest]
    let available = rest.length
    while (available < length) {
      const next = await chunks.next()
      if (next.done) return null
      pieces.push(next.value)
      available += next.value.length
    }
    const joined = pieces.length === 1 ? rest : Buffer.concat(pieces, available)
    rest = joined.subarray(length)
    return joined.subarray(0, length)
  }
}

/** Parses the path in pax records, each `length key=value\n`; null: no path, undefined: invalid records. */
function paxPath(records: Buffer): string | null | undefined {
  let path: string | null = null
  for (let at = 0; at < records.length;) {
    const length = Number(/^[1-9]\d{0,5} /.exec(records.toString('latin1', at, at + 7))?.[0] ?? NaN)
    const record = records.subarray(at, at + length).toString()
    const [, key, value] = /^\d+ ([^=]+)=([^]*)\n$/.exec(record) ?? []
    if (key === undefined || value === undefined) return undefined
    if (key === 'path') path = value
    if (key === 'size') return undefined
    at += length
  }
  return path
}

/**
 * Yields the entries of an archive up to its end, or up to the first entry that is invalid, larger than `maxBytes`, or has too
 * many names or records. Rejects only as `source` does.
 */
export async function* unpack(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<TarFile, void> {
  const read = reader(source)
  let path: string | null = null
  let metaHeaders = 0
  for (;;) {
    const block = await read(blockSize)
    const header = block && readHeader(block)
    if (!header) return
    const { kind, size, modifiedAt } = header
    if (kind === 'other') {
      if (size > 0) return
      yield { path: path ?? header.path, kind, modifiedAt, data: Buffer.alloc(0) }
      path = null
      metaHeaders = 0
      continue
    }
    if (size > (kind === 'file' ? maxBytes : maxMetaBytes)) return
    const data = (await read(size + paddingOf(size)))?.subarray(0, size)
    if (!data) return
    if (kind === 'file') {
      yield { path: path ?? header.path, kind, modifiedAt, data }
      path = null
      metaHeaders = 0
      continue
    }
    metaHeaders += 1
    const longPath = kind === 'pax' ? paxPath(data) : data.toString().replace(/\0.*$/s, '')
    if (metaHeaders > maxMetaHeaders || longPath === undefined) return
    path = longPath ?? path
  }
}
