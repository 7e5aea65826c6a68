/** Bytes of a header. The data of an entry is padded to a multiple (POSIX.1-1988, ustar). */
export const blockSize = 512

export const paddingOf = (size: number): number => (blockSize - (size % blockSize)) % blockSize

const field = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const

export interface TarHeader {
  readonly path: string
  /** `long-name`: the data is the path of the next entry (GNU). `pax`: the data has records with it (POSIX.1-2001). */
  readonly kind: 'file' | 'long-name' | 'pax' | 'other'
  /** Bytes. */
  readonly size: number
  /** Epoch seconds; null: before 1970, or in another format. */
  readonly modifiedAt: number | null
}

/** Sums all bytes, with spaces instead of the checksum. `reduce` would take ten times as long as the loops. */
function sumOf(block: Buffer): number {
  const [from, length] = field.checksum
  let sum = length * 0x20
  for (let at = 0; at < blockSize; at += 1) sum += block[at] ?? 0
  for (let at = from; at < from + length; at += 1) sum -= block[at] ?? 0
  return sum
}

function textAt(block: Buffer, [from, length]: readonly [number, number]): string {
  const bytes = block.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? length : end).toString()
}

/** Parses octal digits; null: anything else, such as GNU's binary format for sizes from 8 GiB. */
function numberAt(block: Buffer, at: readonly [number, number]): number | null {
  const digits = /^ *([0-7]+) *$/.exec(textAt(block, at))?.[1]
  return digits === undefined ? null : parseInt(digits, 8)
}

const kinds: Readonly<Record<string, TarHeader['kind']>> = { '': 'file', 0: 'file', L: 'long-name', x: 'pax' }

/** Parses a header; null: invalid, or not of a small file. */
export function readHeader(block: Buffer): TarHeader | null {
  const size = numberAt(block, field.size)
  if (size === null || numberAt(block, field.checksum) !== sumOf(block)) return null
  // GNU's own format has other fields where ustar has the prefix.
  const isUstar = textAt(block, field.magic) === 'ustar' && block[field.magic[0] + 6] === 0x30
  const prefix = isUstar ? textAt(block, field.prefix) : ''
  const name = textAt(block, field.name)
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    kind: kinds[textAt(block, field.type)] ?? 'other',
    size,
    modifiedAt: numberAt(block, field.time),
  }
}

/** Permission bits, and time of the last change (epoch seconds). Null: unknown. */
interface EntryAttributes {
  readonly mode?: number | null | undefined
  readonly modifiedAt?: number | null
}
/** Greatest number of 11 octal digits. */
const maxTime = 8 ** 11 - 1

function header(
  path: Buffer,
  size: number,
  type: '0' | 'L',
  { mode, modifiedAt }: EntryAttributes = {},
): Buffer {
  const block = Buffer.alloc(blockSize)
  const write = ([from]: readonly [number, number], text: string): void => void block.write(text, from)
  path.copy(block, 0, 0, field.name[1])
  write(field.mode, (mode ?? 0o644).toString(8).padStart(7, '0'))
  write(field.uid, '0000000')
  write(field.gid, '0000000')
  write(field.size, size.toString(8).padStart(11, '0'))
  const time = Math.min(maxTime, Math.max(0, Math.floor(modifiedAt ?? 0)))
  write(field.time, time.toString(8).padStart(11, '0'))
  write(field.type, type)
  // Every tar reads GNU's format with its long names.
  write(field.magic, 'ustar  ')
  write(field.checksum, `${sumOf(block).toString(8).padStart(6, '0')}\0 `)
  return block
}

/** Builds the header of a regular file. The data follows, then padding to a full block. */
export function entryHeader(path: string, size: number, attributes: EntryAttributes = {}): Buffer {
  const name = Buffer.from(path)
  const fileHeader = header(name, size, '0', attributes)
  if (name.length <= field.name[1]) return fileHeader
  const long = Buffer.from(`${path}\0`)
  const before = header(Buffer.from('././@LongLink'), long.length, 'L')
  return Buffer.concat([before, long, Buffer.alloc(paddingOf(long.length)), fileHeader])
}

export const endOfArchive = Buffer.alloc(2 * blockSize)
