import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness } from '../../../test/fixtures/files-harness'
import { type Limits, type Node, scriptedConnection } from '../../../test/fixtures/scripted-sftp'
import { openSftp } from './sftp/client'
import { Packet, requestPacket } from './sftp/packet'
import { localName, uniqueNames } from './local-names'
import { Duplex } from 'node:stream'

const target = { user: 'u', host: '10.0.0.9', port: 22, known: [], keys: [] }
const file = (text: string): Node => ({
  kind: 'file',
  size: Buffer.byteLength(text),
  read: (offset, length) =>
    offset < text.length ? Buffer.from(text).subarray(offset, offset + length) : null,
})
const hostileNames = [
  '../escaped',
  '..',
  '/etc/passwd',
  'a/../../b',
  '',
  'nul\u0000byte',
  'esc\u001B]0;x\u0007',
  'right\u202Egnp.exe',
  'CON',
  'a'.repeat(400),
  'same',
  'same',
] as const

async function harness(at: (path: string) => Node) {
  const made = filesHarness(target, { open: scriptedConnection(at) })
  await made.look()
  return made
}

describe('a hostile machine', () => {
  it('writes nothing outside the folder, whatever the names of its files', async () => {
    const root: Node = {
      kind: 'folder',
      entries: [...hostileNames.map((name) => [name, file('x')] as const), ['link', { kind: 'link' }]],
    }
    const { download, until, local, pick } = await harness((path) => {
      if (path === '/srv/data/link') return { kind: 'link' }
      return path === '/srv' || path === '/srv/data' ? root : file('x')
    })
    const inner = join(local, 'inner')
    mkdirSync(inner)
    pick(inner)
    await download('/srv', 'data')
    expect(await until('done')).toMatchObject({
      files: { done: 7, total: 7 },
      state: { verified: 'size', skipped: 4, links: { count: 1, names: ['data/link'] } },
    })
    expect(readdirSync(local)).toEqual(['inner'])
    expect(readdirSync(inner)).toEqual(['data'])
    expect(readdirSync(join(inner, 'data')).toSorted()).toEqual([
      'CON',
      'a'.repeat(240),
      'esc_]0;x_',
      'nul_byte',
      'right_gnp.exe',
      'same',
      'same (2)',
    ])
    expect(existsSync(join(dirname(local), 'escaped'))).toBe(false)
  })

  const status =
    (code: number): Limits =>
    (id) =>
      requestPacket(Packet.status, id, [code, 'no', ''])
  it.each<readonly [string, Limits]>([
    ['success', status(0)],
    ['the end of a file', status(1)],
    ['a refusal', status(8)],
    ['a file', (id) => requestPacket(Packet.handle, id, ['h'])],
    ['half of them', (id) => requestPacket(Packet.extendedReply, id, [262_144n, 261_120n])],
    ['nothing at all', (id) => requestPacket(Packet.extendedReply, id, [0n, 0n, 0n, 0n])],
  ])('with limits that are %s is read and written with safe sizes', async (_name, limits) => {
    const asked: number[] = []
    const read = (offset: number, length: number): Buffer | null => {
      asked.push(length)
      return offset < 100_000 ? Buffer.alloc(Math.min(length, 100_000 - offset)) : null
    }
    const open = scriptedConnection(
      () => ({ kind: 'file', size: 100_000, read }),
      undefined,
      undefined,
      limits,
    )
    const { look, download, until } = filesHarness(target, { open })
    await look()
    await download('/srv', 'data')
    expect((await until('done')).bytes).toEqual({ done: 100_000, total: 100_000 })
    expect(Math.max(...asked)).toBeLessThan(32 * 1024)
  })

  it('receives no request before the user allows it', async () => {
    const { call, where, list, upload, consents } = filesHarness(target, {
      open: () => expect.fail('connected'),
    })
    await consents.answer(where.account, null, { files: false })
    await call['files.look']({ ...where, looking: true })
    const refused = { failure: { field: 'machine', reason: 'not-ready' } }
    await expect(list(null)).rejects.toMatchObject(refused)
    await expect(upload('/srv', '/etc/hostname')).rejects.toMatchObject(refused)
  })

  it('receives no request for a name that leads out of its folder', async () => {
    const { download } = await harness(() => file('x'))
    for (const name of ['..', 'a/b', 'a\0'])
      await expect(download('/srv', name)).rejects.toMatchObject({ failure: { field: 'name' } })
  })

  it('is listed up to a limit, and the list is marked as cut', async () => {
    const { list } = await harness(() => ({ kind: 'endless' }))
    const { entries, isCut } = await list('/srv')
    expect(isCut).toBe(true)
    expect(entries.length).toBeLessThanOrEqual(20_000)
  })
})

describe('a machine with odd folders and files', () => {
  const itself: Node = { kind: 'folder', entries: [['again', { kind: 'folder', entries: [] }]] }
  const endings = [
    ['has no end', { kind: 'endless' }],
    ['contains itself', itself],
  ] as const satisfies readonly (readonly [string, Node])[]

  it.each(endings)('has a folder that %s: downloading it fails, and leaves nothing', async (_what, node) => {
    const { download, call, until, local } = await harness(() => node)
    await download('/srv', 'data')
    await expect(until('done')).rejects.toThrow('There are too many files or folders.')
    const [transfer] = await call['files.transfers']({})
    await call['files.dismiss']({ transfer: transfer?.id ?? '' })
    expect(readdirSync(local)).toEqual([])
  })

  it.each(endings)('has a folder that %s: deleting it fails, and deletes nothing', async (_what, node) => {
    const asked = new Set<number>()
    const open = scriptedConnection(
      () => node,
      undefined,
      undefined,
      undefined,
      (type) => asked.add(type),
    )
    const { look, call, where } = filesHarness(target, { open })
    await look()
    await expect(call['files.delete']({ ...where, folder: '/srv', names: ['data'] })).rejects.toMatchObject({
      failure: { reason: expect.stringContaining('nothing was deleted') },
    })
    expect([Packet.remove, Packet.rmdir].filter((type) => asked.has(type))).toEqual([])
  })

  it.each([
    ['shrinks', 10, 4],
    ['grows', 4, 10],
  ])('has a file that %s while it is read: the transfer counts it as changed', async (_what, size, then) => {
    let asked = 0
    const changing = (): Node => {
      const now = asked < 4 ? size : then
      return {
        kind: 'file',
        size: now,
        read: (offset, length) => {
          asked = 10
          return offset < Math.min(size, then) ? Buffer.alloc(Math.min(size, then, length)) : null
        },
      }
    }
    const { download, until, local, pick } = await harness(changing)
    pick(join(local, 'log'))
    await download('/srv', 'log')
    expect((await until('done')).state).toMatchObject({ verified: 'size', changed: 1 })
  })
})

describe('a hostile SFTP server', () => {
  it('that breaks the protocol, or answers too much, is disconnected at once', async () => {
    for (const sent of [
      Buffer.alloc(9, 0xff),
      Buffer.from([0, 0, 0, 0, 0]),
      Buffer.from([0, 0, 0, 5, 101, 0, 0, 0, 9]),
    ]) {
      const stream = new Duplex({
        read: () => undefined,
        write: (_chunk, _encoding, done) => (stream.push(sent), done()),
      })
      await expect(openSftp(stream, fakeClock())).rejects.toThrow(/packet|answer/)
      expect(stream.destroyed).toBe(true)
    }
  })

  it.each([
    ['as many bytes as it announces', 40, 40],
    ['more', 40, 39],
    ['fewer', 40, 41],
  ])('sends a file byte by byte, and %s', async (_what, sent, announced) => {
    const bytes = Buffer.from(Array.from({ length: sent }, (_, at) => at))
    const answers = [
      requestPacket(Packet.version, 3, []),
      requestPacket(Packet.handle, 0, ['handle']),
      requestPacket(Packet.data, 1, [bytes]),
    ]
    answers[2]?.writeUInt32BE(announced, 9)
    const stream = new Duplex({
      read: () => undefined,
      write(_chunk, _encoding, done) {
        for (const byte of answers.shift() ?? []) stream.push(Buffer.of(byte))
        done()
      },
    })
    const file = await (await openSftp(stream, fakeClock())).open('/file', 'read')
    const read = file.read(0, 100)
    if (announced > sent) await expect(read).rejects.toThrow('too early')
    else expect(Buffer.concat((await read) ?? [])).toEqual(bytes.subarray(0, announced))
  })

  it('that answers with half a status fails the request', async () => {
    const answers = [requestPacket(Packet.version, 3, []), requestPacket(Packet.status, 0, [])]
    const stream = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => (stream.push(answers.shift()), done()),
    })
    await expect((await openSftp(stream, fakeClock())).stat('/file')).rejects.toThrow('too early')
  })

  it('that becomes silent is disconnected after 60 seconds', async () => {
    const due: (() => void)[] = []
    const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    const opened = openSftp(stream, { after: (_seconds, run) => (due.push(run), () => undefined) })
    due.at(-1)?.()
    await expect(opened).rejects.toMatchObject({ kind: 'lost' })
  })
})

describe('a local name', () => {
  it.each([
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com¹', '_com¹'],
    ['COM1 .log', '_COM1 .log'],
    ['a:b', 'a_b'],
    ['trailing. ', 'trailing__'],
    ['<>"|?*\\', '_______'],
    ['console', 'console'],
    ['..', '__'],
  ])('on Windows: %s is %s', (name, there) => expect(localName(name, 'win32')).toBe(there))

  it('has no characters that change the text direction', () => {
    const turning = '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069'
    expect(localName(`a${turning}b`, 'linux')).toBe(`a${'_'.repeat(turning.length)}b`)
  })

  it('is unique on a system that ignores case', () => {
    const nameOf = uniqueNames('win32')
    expect(['Read', 'READ', 'read.txt', 'READ.TXT'].map(nameOf)).toEqual([
      'Read',
      'READ (2)',
      'read.txt',
      'READ (2).TXT',
    ])
  })
})
