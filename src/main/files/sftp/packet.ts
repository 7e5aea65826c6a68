export const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0)

export function afterBytes(pieces: readonly Buffer[], count: number): Buffer[] {
  let left = count
  return pieces.flatMap((piece) => {
    const skipped = Math.min(left, piece.length)
    left -= skipped
    return skipped < piece.length ? [piece.subarray(skipped)] : []
  })
}

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
  setstat: 9,
  fsetstat: 10,
  readlink: 19,
  symlink: 20,
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

/** Flags of SSH_FXP_OPEN (§6.3). */
export const OpenFlag = { read: 0x01, write: 0x02, create: 0x08, truncate: 0x10, exclusive: 0x20 } as const

/** The machine broke the SFTP protocol or its limits. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer'
}

/** `other`: a device, a pipe, a socket, or not reported. */
type NodeKind = 'file' | 'folder' | 'link' | 'other'

/** Attributes of a path (§5). Null: not reported. */
export interface Attributes {
  readonly kind: NodeKind
  /** Bytes. */
  readonly size: number | null
  /** Epoch seconds. */
  readonly modifiedAt: number | null
  /** Permission bits, with setuid, setgid and sticky. */
  readonly mode: number | null
}

const kinds: Readonly<Record<number, NodeKind>> = { 0o100000: 'file', 0o040000: 'folder', 0o120000: 'link' }

export function fieldsOf(packet: Buffer) {
  let position = 0
  const take = (length: number): Buffer => {
    if (position + length > packet.length) throw new MalformedAnswer('a packet ends too early')
    position += length
    return packet.subarray(position - length, position)
  }
  const word = (): number => take(4).readUInt32BE()
  const bytes = (maxLength = Infinity): Buffer => {
    const length = word()
    if (length > maxLength) throw new MalformedAnswer('a text of an impossible length')
    return take(length)
  }
  return {
    byte: (): number => take(1).readUInt8(),
    word,
    /** Reads a uint64; Infinity if it exceeds the safe integers. */
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
      const mode = flags & 0x04 ? word() : null
      const times = flags & 0x08 ? [word(), word()] : []
      if (flags & 0x80000000) for (let left = 2 * word(); left > 0; left -= 1) bytes()
      const isSize = size !== null && Number.isSafeInteger(size)
      return {
        kind: kinds[(mode ?? 0) & 0o170000] ?? 'other',
        size: isSize ? size : null,
        modifiedAt: times[1] ?? null,
        mode: mode === null ? null : mode & 0o7777,
      }
    },
  }
}

/** Bytes of a handle (§6.3). */
export const maxHandleBytes = 256
/** Bytes before the content of a write (§6.4): packet length, type, id, handle, offset and content length. */
const headerBytes = 4 + 1 + 4 + (4 + maxHandleBytes) + 8 + 4

/** Part of a file, after room for the header of a write, so that sending it copies nothing. */
export interface Piece {
  readonly memory: Buffer
  content: Buffer
}
export function newPiece(bytes: number): Piece {
  const memory = Buffer.allocUnsafe(headerBytes + bytes)
  return { memory, content: memory.subarray(headerBytes) }
}
export function fit(piece: Piece, bytes: number): void {
  piece.content = piece.memory.subarray(headerBytes, headerBytes + bytes)
}

/** Field of a request: a number is a uint32, a bigint a uint64; others follow their length. A piece is the last field. */
export type Field = number | bigint | string | Buffer | Piece

/** Builds a packet with its length. Copies the fields once, and a piece not at all. */
export function requestPacket(type: number, id: number, fields: readonly Field[]): Buffer {
  const parts = fields.map((field) => (typeof field === 'string' ? Buffer.from(field) : field))
  const size = parts.reduce<number>((sum, part) => {
    if (typeof part === 'number') return sum + 4
    return sum + (typeof part === 'bigint' ? 8 : 4 + ('content' in part ? part.content.length : part.length))
  }, 5)
  const last = parts.at(-1)
  const packet =
    typeof last === 'object' && 'content' in last
      ? last.memory.subarray(headerBytes + last.content.length - size - 4, headerBytes + last.content.length)
      : Buffer.allocUnsafe(4 + size)
  packet.writeUInt32BE(size)
  packet.writeUInt8(type, 4)
  let at = packet.writeUInt32BE(id, 5)
  for (const part of parts)
    if (typeof part === 'number') at = packet.writeUInt32BE(part, at)
    else if (typeof part === 'bigint') at = packet.writeBigUInt64BE(part, at)
    else if ('content' in part) packet.writeUInt32BE(part.content.length, at)
    else at = packet.writeUInt32BE(part.length, at) + part.copy(packet, at + 4)
  return packet
}
