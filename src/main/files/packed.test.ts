import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import {
  channelOf,
  type Node,
  scriptedClient,
  scriptedConnection,
} from '../../../test/fixtures/scripted-sftp'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openConnection } from '../ssh/client/connection'
import type { ChannelExit, SshConnection } from '../ssh/client/transport'
import { type JobFile, jobFile, newProgress, type Progress } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { fetchPacked, sendPacked } from './packed'
import { withDisk } from './disk'
import { copyModes } from './permissions'
import { endOfArchive, entryHeader, paddingOf } from './tar/header'

const names = Array.from({ length: 40 }, (_, index) => `f${index}`)
const file: Node = {
  kind: 'file',
  size: 4,
  read: (offset) => (offset < 4 ? Buffer.from('sftp').subarray(offset) : null),
}
const folder: Node = { kind: 'folder', entries: names.map((name) => [name, file] as const) }
const fileEntry = (path: string, data: Buffer): Buffer =>
  Buffer.concat([entryHeader(path, data.length), data, Buffer.alloc(paddingOf(data.length))])
const entry = (name: string): Buffer => fileEntry(`./data/${name}`, Buffer.from('tar!'))
/** Builds an entry of another type, such as a link or a device, with a valid checksum. */
function typed(name: string, type: string, size = 0): Buffer {
  const block = entry(name).subarray(0, 512)
  block.write(type, 156)
  block.write('/etc/passwd', 157)
  block.write(size.toString(8).padStart(11, '0'), 124)
  block.fill(' ', 148, 156)
  block.write(
    block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0') + '\0',
    148,
  )
  return block
}

const ended = { status: 0, signal: null }
const counting = (): Progress => ({ ...newProgress(), phase: 'running', filesTotal: 40 })

/** Opens a channel whose only command has this stream. */
async function commandChannel(
  clock: TransferChannel['clock'],
  stream: Duplex,
  exit: Promise<ChannelExit>,
): Promise<TransferChannel> {
  const sftp = await scriptedClient(() => expect.fail('no requests'))
  return channelOf(sftp, { clock, pipe: () => Promise.resolve({ stream, exit }) })
}

/** Connects to a machine whose tar sends these bytes, and records the commands. */
async function sending(...sent: readonly Buffer[]) {
  const commands: string[] = []
  const exec: SshConnection['exec'] = (command) => {
    const status = command === 'command -v tar' ? 0 : 127
    return Promise.resolve({ kind: 'finished', stdout: '/usr/bin/tar\n', stderr: '', status })
  }
  const pipe: SshConnection['pipe'] = (command) => {
    commands.push(command)
    const stream = new PassThrough()
    const input = new PassThrough().resume()
    const both = Object.assign(stream, { end: input.end.bind(input), write: input.write.bind(input) })
    for (const data of sent) stream.push(data)
    stream.push(null)
    return Promise.resolve({ stream: both, exit: Promise.resolve(ended) })
  }
  const target = { user: 'u', host: '10.0.0.9', port: 22, known: [], keys: [] }
  const at = (path: string): Node => (path === '/srv/data' ? folder : file)
  const files = filesHarness(target, { open: scriptedConnection(at, exec, pipe) })
  await files.look()
  return { ...files, commands }
}

describe('an archive from a machine', () => {
  it('is unpacked file by file', async () => {
    const { download, until, local, commands } = await sending(...names.map(entry), endOfArchive)
    await download('/srv', 'data')
    expect(await until('done')).toMatchObject({ files: { done: 40 }, bytes: { done: 160, total: 160 } })
    for (const name of names) expect(readFileSync(join(local, 'data', name), 'utf8')).toBe('tar!')
    expect(commands).toEqual(['tar -cf - -C /srv -T -'])
  })

  it('is written while it arrives, if it arrives slowly', async () => {
    const [clock, local, progress] = [fakeClock(), ownFolder(), counting()]
    const files = names.map((name) => jobFile(`/srv/data/${name}`, join(local, name), 4, false))
    const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    const channel = await commandChannel(clock, stream, new Promise(() => undefined))
    const { signal } = new AbortController()
    const done = withDisk((disk) =>
      fetchPacked({ channel, folder: '/srv', progress, signal, disk, modes: copyModes(progress) }, files),
    )
    for (const [index, name] of names.slice(0, 3).entries()) {
      clock.advance(1)
      stream.push(entry(name))
      await expect.poll(() => progress.filesDone).toBe(index + 1)
    }
    stream.push(null)
    await done
    expect(readdirSync(local)).toHaveLength(3)
  })
  it.each<[what: string, hostile: readonly Buffer[]]>([
    ['a name that was not requested', [fileEntry('./data/other', Buffer.from('x'))]],
    ['a name with ..', [fileEntry('./data/../../up', Buffer.from('x'))]],
    ['an absolute name', [fileEntry('/data/f3', Buffer.from('x'))]],
    ['a name with a control character', [fileEntry('./data/f3\u001B', Buffer.from('x'))]],
    ['a file twice', [entry('f0')]],
    ['a symbolic link', [typed('f3', '2')]],
    ['a hard link', [typed('f3', '1')]],
    ['a device', [typed('f3', '3'), typed('f4', '4')]],
    ['a size of gigabytes', [typed('f3', '0', 2 ** 32)]],
    ['a name of gigabytes', [typed('f3', 'L', 2 ** 32)]],
    ['endless records', Array.from({ length: 50 }, () => typed('f3', 'x'))],
    ['endless folders', Array.from({ length: 50 }, () => typed('f3', '5'))],
    ['no archive', [Buffer.alloc(5_000, 'x')]],
    ['half a header', [Buffer.alloc(100)]],
  ])('ends at %s, and SFTP copies the rest', async (_what, hostile) => {
    const { download, until, local } = await sending(entry('f0'), ...hostile, entry('f5'))
    await download('/srv', 'data')
    expect(await until('done')).toMatchObject({ files: { done: 40, total: 40 } })
    expect(readdirSync(local)).toEqual(['data'])
    expect(readdirSync(join(local, 'data')).toSorted()).toEqual(names.toSorted())
    expect(readFileSync(join(local, 'data', 'f0'), 'utf8')).toBe('tar!')
    expect(readFileSync(join(local, 'data', 'f7'), 'utf8')).toBe('sftp')
  })
})

describe('an archive for a machine', () => {
  const kilobyte = 1_000
  /** Sends files to a machine that accepts so many bytes a second. `isSilent`: it never reports the end of tar. */
  async function sends(rate: number, isSilent = false) {
    const clock = fakeClock()
    const local = join(ownFolder(), 'one')
    writeFileSync(local, Buffer.alloc(250 * kilobyte))
    const files = names.map((name) => jobFile(`/srv/data/${name}`, local, 250 * kilobyte, false))
    const stream = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        clock.advance(chunk.length / rate)
        done()
      },
    })
    const exit = isSilent
      ? new Promise<ChannelExit>(() => undefined)
      : once(stream, 'finish').then(() => ended)
    const channel = await commandChannel(clock, stream, exit)
    const progress = counting()
    const sent = new Set<JobFile>()
    const { signal } = new AbortController()
    const done = withDisk((disk) =>
      sendPacked(
        { channel, folder: '/srv', progress, signal, disk, modes: copyModes(progress) },
        files,
        sent,
      ),
    )
    return { done, sent, files, clock, stream }
  }

  it('is sent over a slow connection', async () => {
    const { done, sent, files } = await sends(10 * kilobyte)
    await done
    expect(sent.size).toBe(files.length)
  })

  it('times out if the machine never reports the end of tar', async () => {
    const { done, clock, stream } = await sends(10_000 * kilobyte, true)
    const refused = expect(done).rejects.toThrow('ETIMEDOUT')
    await once(stream, 'finish')
    clock.advance(61)
    await refused
  })
})

it('tar unpacks an archive with any name', () => {
  const into = mkdtempSync(join(tmpdir(), 'wheelhouse-tar-'))
  onTestFinished(() => rmSync(into, { recursive: true }))
  const paths = [
    'a',
    'ü',
    `${'d'.repeat(90)}/${'e'.repeat(90)}/${'f'.repeat(90)}`,
    'line\nbreak',
    'x'.repeat(100),
  ]
  const input = Buffer.concat([...paths.map((path) => fileEntry(path, Buffer.from(path))), endOfArchive])
  execFileSync('tar', ['-xmof', '-', '-C', into], { input })
  for (const path of paths) expect(readFileSync(join(into, path), 'utf8')).toBe(path)
})

describeWith(['sshd'], 'many small files', () => {
  async function ready(set = {}) {
    const { target, line } = await sshdTarget(set)
    const commands: string[] = []
    const harness = filesHarness(target, {
      async open(...to) {
        const outcome = await openConnection(...to)
        if (outcome.kind !== 'connected') return outcome
        const { connection } = outcome
        const pipe: SshConnection['pipe'] = (command, signal) => {
          commands.push(command.slice(0, 10))
          return connection.pipe(command, signal)
        }
        return { kind: 'connected', connection: { ...connection, pipe } }
      },
    })
    await harness.look()
    const source = join(ownFolder(), 'many')
    for (let at = 0; at < 200; at += 1) {
      const within = join(source, `folder ${at % 7}`, 'deeper '.repeat(30))
      mkdirSync(within, { recursive: true })
      writeFileSync(join(within, `${at} ü.txt`), Buffer.alloc(at * 100, String(at)))
    }
    return { ...harness, line, source, commands, remote: ownFolder() }
  }
  const equal = (one: string, other: string): string =>
    execFileSync('diff', ['-r', one, other], { encoding: 'utf8' })

  it('are copied in one archive in both directions', async () => {
    const { upload, download, until, source, remote, local, commands } = await ready()
    await upload(remote, source)
    const done = { files: { done: 200, total: 200 }, state: { verified: 'checksum', changed: 0, skipped: 0 } }
    expect(await until('done')).toMatchObject(done)
    expect(equal(source, join(remote, 'many'))).toBe('')
    await download(remote, basename(source))
    expect(await until('done')).toMatchObject(done)
    expect(equal(source, join(local, 'many'))).toBe('')
    expect(commands).toEqual(['tar -xof -', 'tar -cf - '])
  })

  it.each(['upload', 'download'] as const)('of an interrupted %s are not copied again', async (way) => {
    const { upload, download, until, clock, line, source, remote, local } = await ready()
    line.cutAfter(1_200_000)
    const first = until('waiting')
    await (way === 'upload' ? upload(remote, source) : download(join(source, '..'), 'many'))
    expect((await first).files.done).toBeGreaterThan(0)
    clock.advance(20)
    expect(await until('done')).toMatchObject({
      files: { done: 200, total: 200 },
      state: { verified: 'checksum' },
    })
    expect(equal(source, join(way === 'upload' ? remote : local, 'many'))).toBe('')
  })

  it('are copied over SFTP if the machine runs no commands', async () => {
    const { upload, until, source, remote } = await ready({ ForceCommand: 'internal-sftp' })
    await upload(remote, source)
    expect(await until('done')).toMatchObject({
      files: { done: 200, total: 200 },
      state: { verified: 'size' },
    })
    expect(equal(source, join(remote, 'many'))).toBe('')
  })
})
