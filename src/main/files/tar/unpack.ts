import { blockSize, paddingOf, readHeader } from './header'

export interface TarFile {
  /** As the archive spells it: any text, from anybody. */
  readonly path: string
  /** `other`: a link, a device, a folder. It has no data. */
  readonly kind: 'file' | 'other'
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null
  readonly data: Buffer
}

/** Bytes of a long name or of the records that precede an entry, and how many such there may be, at most. */
const longestMeta = 16 * 1024
const mostMeta = 4

/** Takes so many bytes; null where the source ends before. */
function taker(source: AsyncIterable<Buffer>): (length: number) => Promise<Buffer | null> {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (length) => {
    const pieces = [rest]
    let got = rest.length
    while (got < length) {
      const next = await chunks.next()
      if (next.done) return null
      pieces.push(next.value)
      got += next.value.length
    }
    const whole = pieces.length === 1 ? rest : Buffer.concat(pieces, got)
    rest = whole.subarray(length)
    return whole.subarray(0, length)
  }
}

/** The path of pax records, each `length key=value\n`; null where they have none, undefined where they are none. */
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
 * The entries of an archive up to its end, or to the first thing that no archive of small files holds: an entry larger
 * than `largest` bytes, a header that is none, names or records without end. Rejects only as `source` does.
 */
export async function* unpack(source: AsyncIterable<Buffer>, largest: number): AsyncGenerator<TarFile, void> {
  const take = taker(source)
  let path: string | null = null
  let meta = 0
  for (;;) {
    const block = await take(blockSize)
    const header = block && readHeader(block)
    if (!header) return
    const { kind, size, modifiedAt } = header
    if (kind === 'other') {
      if (size > 0) return
      yield { path: path ?? header.path, kind, modifiedAt, data: Buffer.alloc(0) }
      ;[path, meta] = [null, 0]
      continue
    }
    if (size > (kind === 'file' ? largest : longestMeta)) return
    const data = (await take(size + paddingOf(size)))?.subarray(0, size)
    if (!data) return
    if (kind === 'file') {
      yield { path: path ?? header.path, kind, modifiedAt, data }
      ;[path, meta] = [null, 0]
      continue
    }
    meta += 1
    const named = kind === 'pax' ? paxPath(data) : data.toString().replace(/\0.*$/s, '')
    if (meta > mostMeta || named === undefined) return
    path = named ?? path
  }
}
