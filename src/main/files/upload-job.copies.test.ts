import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import {
  channelOf,
  type Node,
  scriptedClient,
  scriptedConnection,
} from '../../../test/fixtures/scripted-sftp'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { download, newCopy } from './copy'
import { deleteTrees } from './delete-tree'
import type { ExecOutcome } from '../ssh/client/transport'
import { newProgress } from './transfer-job'
import type { RemoteEntry } from './sftp/client'
import { SftpError } from './sftp/session'
import { uploadJob } from './upload-job'

const target = { user: 'u', host: '10.0.0.9', port: 22, known: [], keys: [] }
const entry = { size: 1, modifiedAt: 1, mode: null, isUnreadable: false } as const
const file = (size = 1): Node => ({
  kind: 'file',
  size,
  read: (offset, length) => (offset < 1 ? Buffer.alloc(Math.min(1, length), 'x') : null),
})
const attributes = { kind: 'file', size: 1, modifiedAt: 1, mode: null } as const
const missing: Node = { kind: 'missing' }
const unexpected = () => expect.fail('neither commands nor questions')

async function harness(...script: Parameters<typeof scriptedConnection>) {
  const files = filesHarness(target, { open: scriptedConnection(...script) })
  await files.look()
  return files
}

describe('a copy', () => {
  it('skips a numbered name that is also selected', async () => {
    const { download: begin, until, answering, local } = await harness(() => file())
    answering('keep-both')
    writeFileSync(join(local, 'a'), 'mine')
    await begin('/srv', 'a', 'a (2)')
    expect((await until('done')).state).toMatchObject({ renamed: 2 })
    expect(readdirSync(local).toSorted()).toEqual(['a', 'a (2)', 'a (2) (2)'])
    expect(readFileSync(join(local, 'a'), 'utf8')).toBe('mine')
  })

  it('gets its own name if two transfers choose names at the same time', async () => {
    const { download: begin, call, answering, local } = await harness(() => file())
    answering('keep-both')
    await Promise.all([begin('/srv', 'a', 'b'), begin('/srv', 'a', 'b')])
    const states = async () => (await call['files.transfers']({})).map(({ state }) => state.kind)
    await expect.poll(states).toEqual(['done', 'done'])
    expect(readdirSync(local).toSorted()).toEqual(['a', 'a (2)', 'b', 'b (2)'])
  })

  it('that the machine refuses to make is neither written nor removed', async () => {
    const folder = ownFolder()
    writeFileSync(join(folder, 'a'), 'x')
    const requests: string[] = []
    const sftp = await scriptedClient(
      () => missing,
      () => ({
        open(_path, purpose) {
          requests.push(purpose)
          return Promise.reject(new SftpError('failure', 'File exists'))
        },
        removeFile: (path) => Promise.resolve(void requests.push(`remove ${path}`)),
      }),
    )
    const job = uploadJob({
      folder: '/srv',
      paths: [join(folder, 'a')],
      reserved: () => new Set(),
      platform: process.platform,
      progress: newProgress(),
      ask: { conflict: unexpected, links: unexpected },
    })
    const channel = channelOf(sftp, { exec: unexpected, pipe: unexpected })
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(job.attempt(channel, new AbortController().signal)).rejects.toThrow('File exists')
    await job.discard(sftp)
    expect(requests).toEqual(['new', 'new'])
  })
})

it('an upload asks about an existing name without listing its folder', async () => {
  const folder = ownFolder()
  writeFileSync(join(folder, 'a'), 'x')
  const conflicts: string[] = []
  const job = uploadJob({
    folder: '/srv',
    paths: [join(folder, 'a')],
    reserved: () => new Set(),
    platform: process.platform,
    progress: newProgress(),
    ask: {
      conflict: ({ name }) => Promise.resolve((conflicts.push(name), 'skip')),
      links: unexpected,
    },
  })
  const sftp = await scriptedClient(
    (path) => (path === '/srv/a' ? file() : missing),
    () => ({ list: () => Promise.resolve({ entries: [], isCut: true }) }),
  )
  const channel = channelOf(sftp, { exec: unexpected, pipe: unexpected })
  await job.attempt(channel, new AbortController().signal)
  expect(conflicts).toEqual(['a'])
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
  /** Downloads the file; `answer` returns the outcome of each checksum command. */
  async function copied(answer: (commands: number) => ExecOutcome) {
    let commands = 0
    const machine = await harness(whole, (command) => {
      if (!command.includes('sha256')) return Promise.resolve(notFound)
      commands += 1
      return Promise.resolve(answer(commands))
    })
    machine.pick(join(machine.local, 'disk'))
    await machine.download('/srv', 'disk')
    return { ...(await machine.until('done')).state, commands }
  }
  const printed = (stdout: string): ExecOutcome => ({ kind: 'finished', stdout, stderr: '', status: 0 })

  it('is computed once, during the copy', async () => {
    expect(await copied(() => printed(`${sum}\n`))).toMatchObject({ verified: 'checksum', commands: 1 })
  })

  it('is not computed again after a timeout', async () => {
    expect(await copied(() => ({ kind: 'timed-out' }))).toMatchObject({ verified: 'size', commands: 1 })
  })

  it('is computed again if the file changed before the copy', async () => {
    const state = await copied((commands) => printed(`${commands === 1 ? '0'.repeat(64) : sum}\n`))
    expect(state).toMatchObject({ verified: 'checksum', changed: 0, commands: 2 })
  })
})

describe('a download', () => {
  it('counts a file that changed after its copy, whose checksum differs', async () => {
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

  it('does not begin if the machine was forgotten while the user chose a path', async () => {
    const files = filesHarness(target, {
      open: scriptedConnection(() => file()),
      chooseTarget(name) {
        files.gone()
        return Promise.resolve(join(files.local, name))
      },
    })
    await files.look()
    expect(await files.download('/srv', 'a')).toBeNull()
    expect(await files.call['files.transfers']({})).toEqual([])
  })
})

it('a copy on Windows runs no command, because its shells could run parts of a name', async () => {
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

it('a machine with impossibly long names or paths is malformed', async () => {
  const { list } = await harness(() => ({ kind: 'folder', entries: [['n'.repeat(2_000), file()]] }))
  const malformed = { failure: { reason: 'The machine sent an unexpected response.' } }
  await expect(list('/srv')).rejects.toMatchObject(malformed)
  await expect(list(`/${'p/'.repeat(3_000)}`)).rejects.toMatchObject(malformed)
})

describe('deleting a folder', () => {
  const files = (count: number, name: (index: number) => string = String): readonly RemoteEntry[] =>
    Array.from({ length: count }, (_, index) => ({ ...entry, kind: 'file', name: name(index) }))
  /** Deletes the folders `data`, with these files, and `other`, which is empty. */
  async function deleteFolders(
    removed: string[],
    entries: readonly RemoteEntry[],
    removeFile: (path: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const note = (path: string): void => void removed.push(path)
    const sftp = await scriptedClient(
      () => ({ kind: 'folder', entries: [] }),
      () => ({
        list(path, limits) {
          const maxEntries = path === '/srv/data' ? (limits?.entries ?? 20_000) : 0
          const isCut = maxEntries > 0 && entries.length > maxEntries
          return Promise.resolve({ entries: entries.slice(0, maxEntries), isCut })
        },
        removeFile: (path) => removeFile(path).then(() => note(path)),
        removeFolder: (path) => Promise.resolve(note(path)),
      }),
    )
    await deleteTrees(sftp, ['/srv/other', '/srv/data'])
  }
  const refused = { failure: { kind: 'local-fault', reason: expect.stringContaining('nothing was deleted') } }

  it('deletes all its files, even more than a listing shows', async () => {
    const removed: string[] = []
    await deleteFolders(removed, files(20_001))
    expect(removed).toHaveLength(20_003)
  })

  it.each([
    ['more files than a listing may have', files(200_001)],
    ['a name that no request can contain', files(2, (index) => (index === 1 ? 'a/b' : 'a'))],
  ])('deletes nothing if it has %s', async (_what, entries) => {
    const removed: string[] = []
    await expect(deleteFolders(removed, entries)).rejects.toMatchObject(refused)
    expect(removed).toEqual([])
  })

  it('accepts that a file in it has been removed meanwhile', async () => {
    const removed: string[] = []
    await deleteFolders(removed, files(2), (path) =>
      path.endsWith('0') ? Promise.reject(new SftpError('no-such-file', '')) : Promise.resolve(),
    )
    expect(removed).toEqual(['/srv/data/1', '/srv/data', '/srv/other'])
  })
})

const reason = whyNoSmallDisk()
it.skipIf(reason)(
  `a download fails when the disk becomes full${reason ? ` (skipped: ${reason})` : ''}`,
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
      attributes: () => Promise.resolve(attributes),
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
