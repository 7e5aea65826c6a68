import type { AttributeChange, Attributes } from '../disk/disk'

/** Packet types (draft-ietf-secsh-filexfer-02 §3). */
export const PacketType = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
} as const

/** §7 */
export const StatusCode = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  unsupported: 8,
} as const

/** §6.3 */
export const OpenFlag = { write: 0x02, append: 0x04, create: 0x08, truncate: 0x10, exclusive: 0x20 } as const

/** §5 */
const AttributeFlag = { size: 0x01, owner: 0x02, permissions: 0x04, times: 0x08 } as const

export class MalformedPacket extends Error {}

/** Upper bound on a packet, as in OpenSSH's server. */
const maxPacketBytes = 256 * 1024

/** Yields the packets in a stream, without their lengths. Throws MalformedPacket. */
export async function* packetsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length >= 4) {
      const length = pending.readUInt32BE()
      if (length === 0 || length > maxPacketBytes) throw new MalformedPacket()
      if (pending.length < 4 + length) break
      yield pending.subarray(4, 4 + length)
      pending = pending.subarray(4 + length)
    }
  }
}

/** Reads the fields of one packet in order. Every function throws MalformedPacket beyond the packet's end. */
export interface PacketReader {
  byte(): number
  uint32(): number
  /** Returns a number, which is inexact beyond 2^53. */
  uint64(): number
  bytes(): Buffer
  text(): string
  attributes(): AttributeChange
}

export function readPacket(packet: Buffer): PacketReader {
  let position = 0
  const take = (length: number): Buffer => {
    if (position + length > packet.length) throw new MalformedPacket()
    position += length
    return packet.subarray(position - length, position)
  }
  const uint32 = () => take(4).readUInt32BE()
  const uint64 = () => Number(take(8).readBigUInt64BE())
  const bytes = () => take(uint32())
  return {
    byte: () => take(1).readUInt8(),
    uint32,
    uint64,
    bytes,
    text: () => bytes().toString(),
    attributes: () => {
      const flags = uint32()
      return {
        ...(flags & AttributeFlag.size && { size: uint64() }),
        ...(flags & AttributeFlag.owner && { uid: uint32(), gid: uint32() }),
        ...(flags & AttributeFlag.permissions && { mode: uint32() }),
        ...(flags & AttributeFlag.times && { atime: uint32(), mtime: uint32() }),
      }
    },
  }
}

/** Field of an answer: a number is a uint32, text and bytes are preceded by their length. */
export type Field = number | string | Buffer | { readonly raw: Buffer }

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

export function writePacket(type: number, fields: readonly Field[]): Buffer {
  const chunks = fields.flatMap((field) => {
    if (typeof field === 'number') return [uint32(field)]
    if (typeof field === 'object' && 'raw' in field) return [field.raw]
    const bytes = typeof field === 'string' ? Buffer.from(field) : field
    return [uint32(bytes.length), bytes]
  })
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 1)
  return Buffer.concat([uint32(length), Buffer.from([type]), ...chunks])
}

/** Encodes attributes as a field (§5). */
export function attributesField(attributes: Attributes): Field {
  const raw = Buffer.alloc(32)
  const { size, owner, permissions, times } = AttributeFlag
  raw.writeUInt32BE(size | owner | permissions | times)
  raw.writeBigUInt64BE(BigInt(attributes.size), 4)
  const words = [attributes.uid, attributes.gid, attributes.mode, attributes.atime, attributes.mtime]
  for (const [index, word] of words.entries()) raw.writeUInt32BE(word >>> 0, 12 + index * 4)
  return { raw }
}
