import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDisks } from '../disk/disks'
import { makeMachine, testTime } from '../fixtures/machines'
import { defaultLimits } from '../limits'
import { type Field, MalformedPacket, packetsOf, PacketType, readPacket, writePacket } from './packet'
import { createSftp } from './requests'

let answer: (packet: Buffer) => Buffer
beforeEach(() => {
  const disk = createDisks(defaultLimits, () => testTime).of(makeMachine())
  answer = createSftp({ disk, home: '/home/ubuntu', username: 'ubuntu', now: () => testTime })
})

/** Packet in the form of `packetsOf`: without its length. */
const packet = (type: number, ...fields: Field[]): Buffer => writePacket(type, fields).subarray(4)
const reading = (bytes: Buffer) => readPacket(bytes.subarray(4))

/** Formats a status answer as "type request code message". */
const statusOf = (bytes: Buffer): string => {
  const fields = reading(bytes)
  return `${fields.byte()} ${fields.uint32()} ${fields.uint32()} ${fields.text()}`
}

async function collect(chunks: readonly Buffer[]): Promise<string[]> {
  async function* stream() {
    yield* chunks
  }
  const packets: string[] = []
  for await (const found of packetsOf(stream())) packets.push(found.toString('hex'))
  return packets
}

describe('the SFTP server', () => {
  it('finds packets wherever the stream was split', async () => {
    const payloads = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(payloads, fc.integer({ min: 1, max: 50 }), async (contents, size) => {
        const stream = Buffer.concat(
          contents.map((content) => writePacket(content[0] ?? 0, [{ raw: Buffer.from(content.slice(1)) }])),
        )
        const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
          stream.subarray(index * size, (index + 1) * size),
        )
        expect(await collect(chunks)).toEqual(contents.map((content) => Buffer.from(content).toString('hex')))
      }),
    )
  })

  it.each([0, 256 * 1024 + 1, 0xffff_ffff])(
    'refuses a packet of %d bytes before it has arrived',
    async (length) => {
      const header = Buffer.alloc(4)
      header.writeUInt32BE(length)
      await expect(collect([header])).rejects.toThrow(MalformedPacket)
    },
  )

  it('answers any bytes with a packet, or rejects them as malformed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 80 }), (type, rest) => {
        try {
          const reply = answer(Buffer.from([type, ...rest]))
          expect(reply.readUInt32BE()).toBe(reply.length - 4)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPacket)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('implements version 3', () => {
    expect(answer(packet(PacketType.init, 6))).toEqual(writePacket(PacketType.version, [3]))
  })

  it('makes paths absolute, from the home folder', () => {
    const fields = reading(answer(packet(PacketType.realpath, 7, 'a/../b')))
    expect([fields.byte(), fields.uint32(), fields.uint32(), fields.text()]).toEqual([
      104,
      7,
      1,
      '/home/ubuntu/b',
    ])
  })

  it.each<[string, number, Field[], string]>([
    ['a missing file', PacketType.stat, ['none'], '101 1 2 No such file or directory'],
    ['a file of root', PacketType.remove, ['/etc/hostname'], '101 1 3 Permission denied'],
    ['an unknown handle', PacketType.read, ['99', 0, 0, 10], '101 1 4 Invalid argument'],
    [
      'a file that is too large',
      PacketType.setstat,
      ['train.py', 1, 0x7f, 0],
      '101 1 4 No space left on device',
    ],
    ['links', 20, ['a', 'b'], '101 1 8 Not offered by the sandbox'],
    ['extensions', 200, ['posix-rename@openssh.com', 'a', 'b'], '101 1 8 Not offered by the sandbox'],
  ])('reports the reason for refusing %s', (_what, type, fields, expected) => {
    expect(statusOf(answer(packet(type, 1, ...fields)))).toBe(expected)
  })

  it('opens at most 256 files at once', () => {
    const noAttributes = 0
    const open = () => answer(packet(PacketType.open, 1, 'train.py', 1, noAttributes))
    for (let count = 0; count < 256; count += 1) expect(reading(open()).byte()).toBe(PacketType.handle)
    expect(statusOf(open())).toBe('101 1 4 Too many open files')
  })
})
