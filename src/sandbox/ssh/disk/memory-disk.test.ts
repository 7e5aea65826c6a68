import { beforeEach, describe, expect, it } from 'vitest'
import { absolutePath, type Disk } from './disk'
import { DiskError, type DiskErrorCode } from './disk-error'
import { initialEntries } from './initial-entries'
import { createMemoryDisk } from './memory-disk'
import { createQuota, type Quota } from './quota'

const home = '/home/ubuntu'
let quota: Quota
let disk: Disk

beforeEach(() => {
  quota = createQuota(256 * 1024)
  disk = createMemoryDisk(quota, () => 1000, initialEntries('host', home))
})

const refusal = (code: DiskErrorCode) => new DiskError(code)
const write = (path: string, text: string) => {
  disk.open(path, { write: true, create: true, truncate: true }).write(0, Buffer.from(text))
}
const read = (path: string): string => disk.open(path, {}).read(0, 1_000_000).toString()
const names = (path: string): string[] => disk.list(path).map(({ name }) => name)

describe('a disk in memory', () => {
  it('stores files in directories', () => {
    disk.makeDirectory(`${home}/data`)
    write(`${home}/data/a.txt`, 'hello')
    expect(read(`${home}/data/a.txt`)).toBe('hello')
    expect(disk.attributes(`${home}/data/a.txt`)).toMatchObject({ mode: 0o100644, size: 5, mtime: 1000 })
    expect(names(`${home}/data`)).toEqual(['a.txt'])
  })

  it('moves an open file', () => {
    const file = disk.open(`${home}/a`, { write: true, create: true })
    disk.rename(`${home}/a`, `${home}/b`)
    file.write(0, Buffer.from('still here'))
    expect(read(`${home}/b`)).toBe('still here')
  })

  it('releases memory when a tree is removed, which open files cannot use again', () => {
    const before = quota.used()
    disk.makeDirectory(`${home}/tree`)
    disk.makeDirectory(`${home}/tree/deep`)
    const file = disk.open(`${home}/tree/deep/file`, { write: true, create: true })
    file.write(0, Buffer.alloc(50_000))
    disk.removeTree(`${home}/tree`)
    expect(quota.used()).toBe(before)
    expect(() => {
      file.write(0, Buffer.from('x'))
    }).toThrow(refusal('ENOENT'))
  })

  it('appends at the end of the file, whatever offset the client sends', () => {
    write(`${home}/log`, 'one ')
    disk.open(`${home}/log`, { write: true, append: true }).write(0, Buffer.from('two'))
    expect(read(`${home}/log`)).toBe('one two')
  })

  it('reports that it is full, and works again when there is room', () => {
    expect(() => {
      write(`${home}/big`, 'x'.repeat(300_000))
    }).toThrow(refusal('ENOSPC'))
    disk.removeFile(`${home}/big`)
    write(`${home}/small`, 'fits')
    expect(read(`${home}/small`)).toBe('fits')
  })

  it('counts empty files and directories too', () => {
    expect(() => {
      for (let index = 0; index < 1000; index += 1) disk.makeDirectory(`${home}/d${index}`)
    }).toThrow(refusal('ENOSPC'))
  })

  it.each<[string, DiskErrorCode, () => unknown]>([
    ['a file that is not there', 'ENOENT', () => disk.open(`${home}/none`, {})],
    ['a file as a directory', 'ENOTDIR', () => disk.list(`${home}/train.py`)],
    ['a path through a file', 'ENOTDIR', () => disk.attributes(`${home}/train.py/x`)],
    ['a directory as a file', 'EISDIR', () => disk.open(home, {})],
    ['the root as a file', 'EISDIR', () => disk.open('/', { write: true, create: true })],
    ['a directory that is there', 'EEXIST', () => disk.makeDirectory(`${home}/notebooks`)],
    [
      'a new file that is there',
      'EEXIST',
      () => disk.open(`${home}/train.py`, { create: true, exclusive: true }),
    ],
    ['a full directory', 'ENOTEMPTY', () => disk.removeDirectory(`${home}/notebooks`)],
    ['to remove a directory as a file', 'EISDIR', () => disk.removeFile(`${home}/notebooks`)],
    ['to rename onto what is there', 'EEXIST', () => disk.rename(`${home}/train.py`, `${home}/README.md`)],
    [
      'to move a directory into itself',
      'EINVAL',
      () => disk.rename(`${home}/notebooks`, `${home}/notebooks/in`),
    ],
    ['to write where only root may', 'EACCES', () => disk.makeDirectory('/etc/mine')],
    ['to change a file of root', 'EACCES', () => disk.open('/etc/hostname', { write: true })],
    ['to remove the root', 'EACCES', () => disk.removeTree('/')],
    ['to give a file away', 'EACCES', () => disk.change(`${home}/train.py`, { uid: 0 })],
    [
      'to write what was opened for reading',
      'EACCES',
      () => disk.open(`${home}/train.py`, {}).write(0, Buffer.from('x')),
    ],
  ])('refuses %s (%s)', (_what, code, action) => {
    expect(action).toThrow(refusal(code))
  })

  it('removes directories nested deeper than a call stack', () => {
    const roomy = createMemoryDisk(createQuota(16 * 1024 * 1024), () => 0, initialEntries('host', home))
    roomy.makeDirectory(`${home}/0`)
    for (let depth = 1; depth < 20_000; depth += 1) {
      roomy.makeDirectory(`${home}/${depth}`)
      roomy.rename(`${home}/${depth - 1}`, `${home}/${depth}/in`)
    }
    roomy.removeTree(`${home}/19999`)
    expect(roomy.list(home).map(({ name }) => name)).not.toContain('19999')
  })

  it('reserves nothing if its initial files do not fit', () => {
    const tiny = createQuota(2048)
    expect(() => createMemoryDisk(tiny, () => 0, initialEntries('host', home))).toThrow(refusal('ENOSPC'))
    expect(tiny.used()).toBe(0)
  })
})

describe('a path', () => {
  it.each([
    ['a/../b', '/home/ubuntu/b'],
    ['../../../../etc', '/etc'],
    ['/a//b/./c/', '/a/b/c'],
    ['', '/home/ubuntu'],
  ])('%j is resolved from home to %s', (path, expected) => {
    expect(absolutePath(home, path)).toBe(expected)
  })

  it.each([
    ['a\0b', 'EINVAL'],
    ['x'.repeat(256), 'ENAMETOOLONG'],
    ['x/'.repeat(3000), 'ENAMETOOLONG'],
  ] as const)('is refused if no disk could store it', (path, code) => {
    expect(() => absolutePath(home, path)).toThrow(refusal(code))
  })
})
