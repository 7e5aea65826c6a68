import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { constants, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { withDisk } from './disk'

const sum = (text: string): string => createHash('sha256').update(text).digest('hex')
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = ownFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

it.skipIf(process.platform === 'win32')(
  'a folder is listed with sizes, without following links',
  async () => {
    const folder = folderWith({ file: 'four' })
    mkdirSync(join(folder, 'folder'))
    symlinkSync('file', join(folder, 'link'))
    await withDisk(async (disk) => {
      expect((await disk.list(folder, 3))?.toSorted()).toEqual(['file', 'folder', 'link'])
      const paths = ['file', 'folder', 'link', 'gone'].map((name) => join(folder, name))
      expect(await disk.look(paths)).toMatchObject([
        expect.objectContaining({ kind: 'file', size: 4 }),
        { kind: 'folder' },
        { kind: 'link' },
        expect.objectContaining({ kind: 'other', size: 0 }),
      ])
      expect(await disk.list(folder, 2)).toBeNull()
      await expect(disk.list(join(folder, 'none'), 2)).rejects.toMatchObject({ code: 'ENOENT' })
    })
  },
)

it.skipIf(process.platform === 'win32')(
  'reading omits files that changed, vanished or became links',
  async () => {
    const folder = folderWith({ grew: 'x'.repeat(600), shrank: 'x', same: 'same', last: 'last' })
    symlinkSync('same', join(folder, 'link'))
    const sizes = { grew: 500, shrank: 9, gone: 4, link: 4, same: 4, last: 4 }
    const requests = Object.entries(sizes).map(([name, size]) => ({
      path: join(folder, name),
      size,
      before: 512,
    }))
    const { bytes, contents } = await withDisk((disk) => disk.read(requests))
    expect(contents).toEqual([
      null,
      null,
      null,
      null,
      { at: 512, digest: sum('same') },
      { at: 1536, digest: sum('last') },
    ])
    const last = Buffer.concat([Buffer.alloc(512), Buffer.from('last'), Buffer.alloc(508)])
    expect(Buffer.from(bytes.subarray(1024))).toEqual(last)
    // The padding contains no bytes of an omitted file.
    expect(Buffer.from(bytes.subarray(512, 1024))).toEqual(
      Buffer.concat([Buffer.from('same'), Buffer.alloc(508)]),
    )
  },
)

it('writing replaces only files that the transfer made', async () => {
  const folder = folderWith({ theirs: 'theirs', ours: 'longer before' })
  const asked = [
    { path: join(folder, 'theirs'), isMade: false, at: 0, size: 2, mode: null, modifiedAt: null },
    { path: join(folder, 'ours'), isMade: true, at: 2, size: 2, mode: null, modifiedAt: null },
    { path: join(folder, 'new'), isMade: false, at: 2, size: 2, mode: null, modifiedAt: null },
  ]
  expect(await withDisk((disk) => disk.write(asked, new Uint8Array(Buffer.from('abcd'))))).toEqual([
    { isMade: false, isTimeRefused: false, digest: null },
    { isMade: true, isTimeRefused: false, digest: sum('cd') },
    { isMade: true, isTimeRefused: false, digest: sum('cd') },
  ])
  const texts = ['theirs', 'ours', 'new'].map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(texts).toEqual(['theirs', 'cd', 'cd'])
})

it('a file whose time the system refuses to set is complete and reported', async () => {
  const path = join(folderWith({}), 'new')
  const place = { path, isMade: false, at: 0, size: 2, mode: null, modifiedAt: Number.NaN }
  const written = await withDisk((disk) => disk.write([place], new Uint8Array(Buffer.from('ab'))))
  expect(written).toEqual([{ isMade: true, isTimeRefused: true, digest: sum('ab') }])
})

it('a call after the end of its thread starts another thread', async () => {
  const folder = folderWith({ file: 'four' })
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve))
  await withDisk(async (disk) => {
    await disk.list(folder, 1)
    await (await started).terminate()
    expect(await disk.list(folder, 1)).toEqual(['file'])
  })
})

it.skipIf(process.platform === 'win32')(
  'a file that an ended thread left incomplete is written again',
  async () => {
    const folder = folderWith({ theirs: 'theirs' })
    const made = join(folder, 'made')
    const [firstPipe, lastPipe] = [join(folder, 'first'), join(folder, 'last')]
    execFileSync('mkfifo', [firstPipe, lastPipe])
    const begun = new Promise<Worker>((resolve) => process.once('worker', resolve))
    const place = (path: string, isMade: boolean) => ({
      path,
      isMade,
      at: 0,
      size: 4,
      mode: null,
      modifiedAt: null,
    })
    const files = [
      place(made, false),
      place(join(folder, 'theirs'), false),
      place(firstPipe, true),
      place(lastPipe, true),
    ]
    const bytes = () => new Uint8Array(Buffer.from('four'))
    await withDisk(async (disk) => {
      const written = disk.write([...files, place(join(folder, 'later'), false)], bytes())
      // The thread has passed the files before this pipe.
      await readFile(firstPipe)
      const ended = (await begun).terminate()
      // Opening the last pipe blocks the thread until another end is open.
      const lastEnd = await open(lastPipe, constants.O_RDWR)
      await ended
      await lastEnd.close()
      expect(await written).toEqual([
        { isMade: true, isTimeRefused: false, digest: null },
        { isMade: false, isTimeRefused: false, digest: null },
        { isMade: true, isTimeRefused: false, digest: null },
        { isMade: true, isTimeRefused: false, digest: null },
        { isMade: false, isTimeRefused: false, digest: null },
      ])
      expect(await disk.write([place(made, true)], bytes())).toEqual([
        { isMade: true, isTimeRefused: false, digest: sum('four') },
      ])
    })
    const texts = ['made', 'theirs'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(texts).toEqual(['four', 'theirs'])
  },
)

it.skipIf(process.platform === 'win32')(
  'a call that waits for a slow disk does not delay other calls',
  async () => {
    const folder = folderWith({ file: 'four' })
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    let started = 0
    const count = (): void => void (started += 1)
    process.on('worker', count)
    onTestFinished(() => void process.off('worker', count))
    await withDisk(async (disk) => {
      // Opening the pipe blocks until it is read.
      const held = disk.write(
        [{ path: pipe, isMade: true, at: 0, size: 0, mode: null, modifiedAt: null }],
        new Uint8Array(1),
      )
      expect(await disk.look([join(folder, 'file')])).toEqual([
        expect.objectContaining({ kind: 'file', size: 4 }),
      ])
      expect(await readFile(pipe, 'utf8')).toBe('')
      expect(await held).toEqual([{ isMade: true, isTimeRefused: false, digest: sum('') }])
      for (let call = 0; call < 50; call += 1) await disk.look([pipe])
    })
    expect(started).toBe(2)
  },
)

it('a list rejects once the user cancels', async () => {
  const ending = new AbortController()
  const listed = withDisk((disk) => disk.list(ownFolder(), 1), ending.signal)
  ending.abort(new Error('cancelled'))
  await expect(listed).rejects.toThrow('cancelled')
})
