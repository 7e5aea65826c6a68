import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { deep } from '../../../test/fixtures/counts'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

const mebibyte = 1024 * 1024
/** Milliseconds for tests with large files on a busy computer. */
const patience = deep(240_000, 900_000)
const sum = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

async function ready() {
  const { target, line } = await sshdTarget()
  const harness = filesHarness(target)
  const remote = ownFolder()
  await harness.look()
  return { ...harness, remote, line }
}

describeWith(['sshd'], 'the files of a machine', () => {
  it('are listed with kind, size, time and unchanged names', async () => {
    const { list, remote } = await ready()
    mkdirSync(join(remote, 'runs'))
    writeFileSync(join(remote, 'a\u202Eb.txt'), 'four')
    symlinkSync('/etc', join(remote, 'etc'))
    const { path, entries, isCut } = await list(remote)
    expect({ path, isCut }).toEqual({ path: remote, isCut: false })
    expect(entries.map(({ name, kind }) => `${kind} ${name}`).toSorted()).toEqual([
      'file a\u202Eb.txt',
      'folder runs',
      'link etc',
    ])
    expect(entries.find(({ kind }) => kind === 'file')).toMatchObject({ size: 4, isUnreadable: false })
    expect((await list(null)).path).toMatch(/^\//)
    expect((await list(join(remote, 'etc'))).path).toBe('/etc')
  })

  it('are made, renamed only to free names, and deleted without following links', async () => {
    const { call, where, list, remote } = await ready()
    const other = ownFolder()
    writeFileSync(join(other, 'kept'), '')
    await call['files.makeFolder']({ ...where, folder: remote, name: 'a' })
    await call['files.makeFolder']({ ...where, folder: join(remote, 'a'), name: 'deeper' })
    symlinkSync(other, join(remote, 'a', 'link'))
    writeFileSync(join(remote, 'b'), '')
    const rename = async (name: string, to: string) =>
      call['files.rename']({ ...where, folder: remote, name, to })
    await expect(rename('a', 'b')).rejects.toMatchObject({ failure: { kind: 'local-fault' } })
    await expect(rename('a', '../c')).rejects.toMatchObject({ failure: { kind: 'invalid-input' } })
    await rename('a', 'c')
    await call['files.delete']({ ...where, folder: remote, names: ['b', 'c'] })
    expect((await list(remote)).entries).toEqual([])
    expect(readdirSync(other)).toEqual(['kept'])
  })

  it('report why the machine refuses a request', async () => {
    const { list, remote } = await ready()
    await expect(list(join(remote, 'nowhere'))).rejects.toMatchObject({
      failure: { reason: 'The machine has no file or folder with this name.' },
    })
  })
})

describeWith(['sshd'], 'a transfer', () => {
  it('downloads a folder with all its files, replaces nothing, and follows no link out of it', async () => {
    const { download, until, answering, remote, local } = await ready()
    answering('keep-both')
    mkdirSync(join(remote, 'runs', 'empty'), { recursive: true })
    writeFileSync(join(remote, 'runs', 'log.txt'), 'log')
    symlinkSync('/etc', join(remote, 'runs', 'etc'))
    mkdirSync(join(local, 'runs'))
    await download(remote, 'runs')
    expect((await until('done')).state).toEqual({
      kind: 'done',
      verified: 'checksum',
      skipped: 0,
      links: { count: 1, names: ['runs/etc'] },
      kept: 0,
      changed: 0,
      renamed: 1,
      modesRefused: 0,
      timesRefused: 0,
      linksCopied: 0,
      linksFailed: { count: 0, names: [], reason: '' },
      left: [],
    })
    expect(readdirSync(local).toSorted()).toEqual(['runs', 'runs (2)'])
    expect(readdirSync(join(local, 'runs (2)')).toSorted()).toEqual(['empty', 'log.txt'])
    expect(readFileSync(join(local, 'runs (2)', 'log.txt'), 'utf8')).toBe('log')
  })

  it('downloads one file to the path that the user chose, and reports its progress', async () => {
    const { download, until, pick, remote, local } = await ready()
    writeFileSync(join(remote, 'model.bin'), randomBytes(3 * mebibyte + 17))
    pick(join(local, 'other name.bin'))
    await download(remote, 'model.bin')
    expect(await until('done')).toMatchObject({
      name: 'model.bin',
      others: 0,
      files: { done: 1, total: 1 },
      bytes: { done: 3 * mebibyte + 17, total: 3 * mebibyte + 17 },
    })
    expect(sum(join(local, 'other name.bin'))).toBe(sum(join(remote, 'model.bin')))
    expect(readdirSync(local)).toEqual(['other name.bin'])
  })

  it.each(['upload', 'download'] as const)(
    'continues after two lost connections: %s',
    { timeout: patience },
    async (direction) => {
      const { upload, download, until, pick, clock, line, remote, local } = await ready()
      pick(join(local, 'big'))
      const source = direction === 'upload' ? ownFolder() : remote
      // 8 MiB of the transferred bytes may still be unread or unacknowledged.
      const size = deep(64, 1_024) * mebibyte
      for (let left = size; left > 0; left -= mebibyte)
        appendFileSync(join(source, 'big'), randomBytes(mebibyte))
      line.cutAfter(size * 0.3)
      await (direction === 'upload' ? upload(remote, join(source, 'big')) : download(remote, 'big'))
      const first = await until('waiting')
      expect(first.bytes.done).toBeGreaterThan(size * 0.1)
      line.cutAfter(size * 0.4)
      clock.advance(20)
      await until('running')
      // It continues the existing copy.
      expect((await until('waiting')).bytes.done).toBeGreaterThan(first.bytes.done)
      clock.advance(20)
      expect((await until('done')).state).toMatchObject({ verified: 'checksum', changed: 0 })
      const copy = join(direction === 'upload' ? remote : local, 'big')
      expect(sum(copy)).toBe(sum(join(source, 'big')))
    },
  )

  it('uploads and downloads many small files', { timeout: patience }, async () => {
    const { upload, download, until, remote, local } = await ready()
    const source = join(ownFolder(), 'many')
    mkdirSync(source)
    const count = deep(300, 10_000)
    for (let at = 0; at < count; at += 1) writeFileSync(join(source, `${at}.txt`), `file ${at}`)
    await upload(remote, source)
    expect(await until('done')).toMatchObject({ files: { done: count }, state: { verified: 'checksum' } })
    await download(remote, basename(source))
    expect(await until('done')).toMatchObject({ files: { done: count }, state: { verified: 'checksum' } })
    expect(readdirSync(join(local, 'many'))).toHaveLength(count)
    expect(readFileSync(join(local, 'many', '7.txt'), 'utf8')).toBe('file 7')
  })

  it('leaves nothing on either side once it is cancelled', async () => {
    const { upload, until, call, clock, line, remote } = await ready()
    const source = ownFolder()
    writeFileSync(join(source, 'big'), randomBytes(8 * mebibyte))
    line.cutAfter(3 * mebibyte)
    const waiting = until('waiting')
    const begun = await upload(remote, join(source, 'big'))
    await waiting
    expect(readdirSync(remote)).toEqual(['big.part'])
    clock.advance(20)
    await until('running')
    await call['files.cancel']({ transfer: begun?.id ?? '' })
    await until('cancelled')
    expect(readdirSync(remote)).toEqual([])
    expect(existsSync(join(source, 'big'))).toBe(true)
  })
})
