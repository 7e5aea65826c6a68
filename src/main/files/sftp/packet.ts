/** Bytes of pieces together. */
export const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0)

/** Types of packets (draft-ietf-secsh-filexfer-02 §3). */
export const Packet = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  extended: 200,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extendedReply: 201,
} as const

/** §6.3 */
export const OpenFlag = { read: 0x01, write: 0x02, create: 0x08, truncate: 0x10, exclusive: 0x20 } as const

/** What the machine sent is not the SFTP protocol, or beyond every limit. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer'
}

/** What a path leads to. `other`: a device, a pipe, a socket, or what the machine does not say. */
type NodeKind = 'file' | 'folder' | 'link' | 'other'

/** §5. Null: not reported. */
export interface Attributes {
  readonly kind: NodeKind
  /** Bytes. */
  readonly size: number | null
  /** Epoch seconds. */
  readonly modifiedAt: number | null
}

const kinds: Readonly<Record<number, NodeKind>> = { 0o100000: 'file', 0o040000: 'folder', 0o120000: 'link' }

/** Reads the fields of one packet in their order. Every function throws MalformedAnswer beyond the packet's end. */
export function fieldsOf(packet: Buffer) {
  let position = 0
  const take = (length: number): Buffer => {
    if (position + length > packet.length) throw new MalformedAnswer('a packet ends too early')
    position += length
    return packet.subarray(position - length, position)
  }
  const word = (): number => take(4).readUInt32BE()
  /** `most`: what the protocol, or any file system, allows. */
  const bytes = (most = Infinity): Buffer => {
    const length = word()
    if (length > most) throw new MalformedAnswer('a text of an impossible length')
    return take(length)
  }
  return {
    byte: (): number => take(1).readUInt8(),
    word,
    /** Infinity: beyond what a number holds. */
    long(): number {
      const value = Number(take(8).readBigUInt64BE())
      return Number.isSafeInteger(value) ? value : Infinity
    },
    bytes,
    isOver: (): boolean => position >= packet.length,
    attributes(): Attributes {
      const flags = word()
      const size = flags & 0x01 ? Number(take(8).readBigUInt64BE()) : null
      if (flags & 0x02) take(8)
      const mode = flags & 0x04 ? word() : 0
      const times = flags & 0x08 ? [word(), word()] : []
      if (flags & 0x80000000) for (let left = 2 * word(); left > 0; left -= 1) bytes()
      const isSize = size !== null && Number.isSafeInteger(size)
      return {
        kind: kinds[mode & 0o170000] ?? 'other',
        size: isSize ? size : null,
        modifiedAt: times[1] ?? null,
      }
    },
  }
}

/** A field of a request: a number is a uint32, a bigint a uint64; text and bytes are preceded by their length. */
export type Field = number | bigint | string | Buffer

/** One packet with its length, ready to be sent. Its content is copied once. */
export function requestPacket(type: number, id: number, fields: readonly Field[]): Buffer {
  const texts = fields.map((field) => (typeof field === 'string' ? Buffer.from(field) : field))
  const sizes = texts.map((field) =>
    typeof field === 'number' ? 4 : typeof field === 'bigint' ? 8 : 4 + field.length,
  )
  const size = sizes.reduce((sum, one) => sum + one, 5)
  const packet = Buffer.allocUnsafe(4 + size)
  packet.writeUInt32BE(size)
  packet.writeUInt8(type, 4)
  let at = packet.writeUInt32BE(id, 5)
  for (const field of texts)
    if (typeof field === 'number') at = packet.writeUInt32BE(field, at)
    else if (typeof field === 'bigint') at = packet.writeBigUInt64BE(field, at)
    else at = packet.writeUInt32BE(field.length, at) + field.copy(packet, at + 4)
  return packet
}
