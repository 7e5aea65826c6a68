import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness } from '../../../test/fixtures/files-harness'
import { type Node, scriptedConnection } from '../../../test/fixtures/scripted-sftp'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { download, newCopy } from './copy'
import { deleteTrees } from './delete-tree'
import { newProgress } from './transfer-job'
import { oneChannel } from './transfer-channel'
import type { RemoteEntry, Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { uploadJob } from './upload-job'

const target = { user: 'u', host: '10.0.0.9', port: 22, known: [], keys: [] }
const entry = { size: 1, modifiedAt: 1, mode: null, isUnreadable: false } as const
const file = (size = 1): Node => ({
  kind: 'file',
  size,
  read: (offset, length) => (offset < 1 ? Buffer.alloc(Math.min(1, length), 'x') : null),
})
const one = { kind: 'file', size: 1, modifiedAt: 1, mode: null } as const

/** A machine on which everything succeeds, but for this. */
const fakeSftp = (changes: Partial<Sftp>): Sftp => ({
  limits: () => expect.fail('no limits'),
  list: () => Promise.resolve({ entries: [], isCut: false }),
  realPath: (path) => Promise.resolve(path),
  stat: () => Promise.resolve(one),
  lstat: () => Promise.reject(new SftpError('no-such-file', '')),
  open: () => Promise.reject(new Error('not opened')),
  makeFolder: () => Promise.resolve(),
  removeFile: () => Promise.resolve(),
  setMode: () => Promise.resolve(),
  setTime: () => Promise.resolve(),
  readLink: () => expect.fail('no links'),
  makeLink: () => expect.fail('no links'),
  space: () => Promise.resolve(null),
  removeFolder: () => Promise.resolve(),
  rename: () => Promise.resolve(),
  replace: () => Promise.resolve(true),
  close: () => undefined,
  ...changes,
})
async function harness(...of: Parameters<typeof scriptedConnection>) {
  const made = filesHarness(target, { open: scriptedConnection(...of) })
  await made.look()
  return made
}

describe('a copy is made where nobody else has one', () => {
  it('also where a name of the selection is free only until another is numbered', async () => {
    const { download: begin, until, answering, local } = await harness(() => file())
    answering('keep-both')
    writeFileSync(join(local, 'a'), 'mine')
    await begin('/srv', 'a', 'a (2)')
    expect((await until('done')).state).toMatchObject({ renamed: 2 })
    expect(readdirSync(local).toSorted()).toEqual(['a', 'a (2)', 'a (2) (2)'])
    expect(readFileSync(join(local, 'a'), 'utf8')).toBe('mine')
  })

  it('when two transfers look for one at once', async () => {
    const { download: begin, call, answering, local } = await harness(() => file())
    answering('keep-both')
    await Promise.all([begin('/srv', 'a', 'b'), begin('/srv', 'a', 'b')])
    const states = async () => (await call['files.transfers']({})).map(({ state }) => state.kind)
    await expect.poll(states).toEqual(['done', 'done'])
    expect(readdirSync(local).toSorted()).toEqual(['a', 'a (2)', 'b', 'b (2)'])
  })

  it('and one that the machine refuses to make is neither written to nor removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-copies-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'a'), 'x')
    const asked: string[] = []
    const sftp = fakeSftp({
      open(_path, how) {
        asked.push(how)
        return Promise.reject(new SftpError('failure', 'File exists'))
      },
      removeFile: (path) => Promise.resolve(void asked.push(`remove ${path}`)),
    })
    const progress = newProgress()
    const none = () => expect.fail('neither commands nor questions')
    const job = uploadJob({
      folder: '/srv',
      paths: [join(folder, 'a')],
      reserved: new Set(),
      platform: process.platform,
      progress,
      ask: { taken: none, links: none },
    })
    const line = { sftp, exec: none, pipe: none, clock: fakeClock(), ...oneChannel }
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(job.attempt(line, new AbortController().signal)).rejects.toThrow('File exists')
    await job.discard(sftp)
    expect(asked).toEqual(['new', 'new'])
  })
})

it('a name is asked about however many files the folder has beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a'), 'x')
  const asked: string[] = []
  const job = uploadJob({
    folder: '/srv',
    paths: [join(folder, 'a')],
    reserved: new Set(),
    platform: process.platform,
    progress: newProgress(),
    ask: {
      taken: ({ name }) => Promise.resolve((asked.push(name), 'skip')),
      links: () => expect.fail('no links'),
    },
  })
  const sftp = fakeSftp({
    list: () => Promise.resolve({ entries: [], isCut: true }),
    lstat: (path) =>
      path === '/srv/a' ? Promise.resolve(one) : Promise.reject(new SftpError('no-such-file', '')),
  })
  const none = () => expect.fail('no commands')
  await job.attempt(
    { sftp, exec: none, pipe: none, clock: fakeClock(), ...oneChannel },
    new AbortController().signal,
  )
  expect(asked).toEqual(['a'])
})

describe('the checksum of a large download', () => {
  const size = 5_000_000
  const whole = (): Node => ({
    kind: 'file',
    size,
    read: (offset, length) => (offset < size ? Buffer.alloc(Math.min(length, size - offset), 'x') : null),
  })
  const notFound = { kind: 'finished', stdout: '', stderr: '', status: 127 } as const
  const sum = createHash('sha256').update(Buffer.alloc(size, 'x')).digest('hex')
  const copied = async (...sums: readonly string[]) => {
    let asked = 0
    const machine = await harness(whole, (command) => {
      if (!command.includes('sha256')) return Promise.resolve(notFound)
      asked += 1
      return Promise.resolve({
        kind: 'finished',
        stdout: `${sums[asked - 1] ?? ''}\n`,
        stderr: '',
        status: 0,
      })
    })
    machine.pick(join(machine.local, 'disk'))
    await machine.download('/srv', 'disk')
    return { ...(await machine.until('done')).state, asked }
  }

  it('is made while it is copied, and not again', async () => {
    expect(await copied(sum)).toMatchObject({ verified: 'checksum', asked: 1 })
  })

  it('is not asked for twice where that takes the machine too long', async () => {
    let asked = 0
    const machine = await harness(whole, (command) => {
      if (!command.includes('sha256')) return Promise.resolve(notFound)
      asked += 1
      return Promise.resolve({ kind: 'timed-out' })
    })
    machine.pick(join(machine.local, 'disk'))
    await machine.download('/srv', 'disk')
    expect((await machine.until('done')).state).toMatchObject({ verified: 'size' })
    expect(asked).toBe(1)
  })

  it('is made again where the file was another before the copy', async () => {
    expect(await copied('0'.repeat(64), sum)).toMatchObject({ verified: 'checksum', changed: 0, asked: 2 })
  })
})

describe('what has changed meanwhile', () => {
  it('after its own copy is counted, and no checksum of it is wrong', async () => {
    let size = 1
    const machine = await harness(
      () => file(size),
      () => {
        size = 2
        return Promise.resolve({ kind: 'finished', stdout: `${'0'.repeat(64)}  a\n`, stderr: '', status: 0 })
      },
    )
    machine.pick(join(machine.local, 'log'))
    await machine.download('/srv', 'log')
    expect((await machine.until('done')).state).toMatchObject({ verified: 'checksum', changed: 1 })
  })

  it('is that the machine was forgotten: nothing is begun', async () => {
    const made = filesHarness(target, {
      open: scriptedConnection(() => file()),
      chooseTarget(name) {
        made.gone()
        return Promise.resolve(join(made.local, name))
      },
    })
    await made.look()
    expect(await made.download('/srv', 'a')).toBeNull()
    expect(await made.call['files.transfers']({})).toEqual([])
  })
})

it('no name is in a command on Windows, whose shells would run what it holds', async () => {
  const {
    download: begin,
    until,
    pick,
    local,
  } = await harness(
    () => file(),
    () => expect.fail('a command'),
  )
  pick(join(local, 'a'))
  await begin('/C:/Users/u', 'a & calc')
  expect((await until('done')).state).toMatchObject({ verified: 'size' })
})

it('a machine with names or paths longer than any is left', async () => {
  const { list } = await harness(() => ({ kind: 'folder', entries: [['n'.repeat(2_000), file()]] }))
  const malformed = { failure: { reason: 'The machine sent an unexpected response.' } }
  await expect(list('/srv')).rejects.toMatchObject(malformed)
  await expect(list(`/${'p/'.repeat(3_000)}`)).rejects.toMatchObject(malformed)
})

describe('a folder that is deleted', () => {
  const files = (count: number, name: (index: number) => string = String): readonly RemoteEntry[] =>
    Array.from({ length: count }, (_, index) => ({ ...entry, kind: 'file', name: name(index) }))
  /** What is deleted of a folder `data` with these files, and of `other`, an empty one. */
  function folderOf(all: readonly RemoteEntry[], removeFile: (path: string) => Promise<void>) {
    const removed: string[] = []
    const note = (path: string): void => void removed.push(path)
    const sftp = fakeSftp({
      lstat: () => Promise.resolve({ ...one, kind: 'folder' }),
      list(path, limits) {
        const most = path === '/srv/data' ? (limits?.entries ?? 20_000) : 0
        return Promise.resolve({ entries: all.slice(0, most), isCut: most > 0 && all.length > most })
      },
      removeFile: (path) => removeFile(path).then(() => note(path)),
      removeFolder: (path) => Promise.resolve(note(path)),
    })
    return { removed, deleted: deleteTrees(sftp, ['/srv/other', '/srv/data']) }
  }
  const removes = () => Promise.resolve()
  const refused = { failure: { kind: 'local-fault', reason: expect.stringContaining('nothing was deleted') } }

  it('goes with all its files, however many there are', async () => {
    const { removed, deleted } = folderOf(files(20_001), removes)
    await deleted
    expect(removed).toHaveLength(20_003)
  })

  it.each([
    ['more than a listing takes', files(200_001)],
    ['a name that no request can say', files(2, (index) => (index === 1 ? 'a/b' : 'a'))],
  ])('stays, and all that was chosen with it, where it holds %s', async (_what, all) => {
    const { removed, deleted } = folderOf(all, removes)
    await expect(deleted).rejects.toMatchObject(refused)
    expect(removed).toEqual([])
  })

  it('may lose what is in it meanwhile', async () => {
    const { removed, deleted } = folderOf(files(2), (path) =>
      path.endsWith('0') ? Promise.reject(new SftpError('no-such-file', '')) : Promise.resolve(),
    )
    await deleted
    expect(removed).toEqual(['/srv/data/1', '/srv/data', '/srv/other'])
  })
})

const reason = whyNoSmallDisk()
it.skipIf(reason)(
  `a disk that becomes full ends the copy${reason ? ` (skipped: ${reason})` : ''}`,
  async () => {
    const folder = smallDisk('4m')
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - 512 * 1024))
    const size = 1024 * 1024
    const to = await open(join(folder, 'copy'), 'wx')
    onTestFinished(() => to.close())
    const from = {
      read: (_offset: number, length: number) => Promise.resolve([Buffer.alloc(length)]),
      write: () => Promise.resolve(),
      attributes: () => Promise.resolve(one),
      setMode: () => Promise.resolve(),
      setTime: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    const { signal } = new AbortController()
    const copied = download(
      { copy: newCopy(), size, signal, clock: fakeClock(), sharing: () => 1, moved: () => undefined },
      from,
      to,
      32 * 1024,
    )
    await expect(copied).rejects.toMatchObject({ code: 'ENOSPC' })
  },
)
