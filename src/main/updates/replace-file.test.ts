import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { replaceFile } from './replace-file'

const sha512 = (text: string) => createHash('sha512').update(text).digest('base64')

function files() {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-replace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const old = join(folder, 'Wheelhouse.AppImage')
  const next = join(folder, 'download')
  writeFileSync(old, 'old')
  chmodSync(old, 0o750)
  writeFileSync(next, 'new')
  return { folder, old, next, names: () => readdirSync(folder).toSorted() }
}

it('replaces the file atomically: name and mode stay, and running programs read the old file', async () => {
  const { old, next, names } = files()
  const running = openSync(old, 'r')
  onTestFinished(() => closeSync(running))
  await replaceFile(old, next, [sha512('other'), sha512('new')])
  expect(readFileSync(running, 'utf8')).toBe('old')
  expect(readFileSync(old, 'utf8')).toBe('new')
  expect(statSync(old).mode & 0o777).toBe(0o750)
  expect(names()).toEqual(['Wheelhouse.AppImage', 'download'])
})

it('does not change the old file if the new one has another checksum', async () => {
  const { old, next, names } = files()
  await expect(replaceFile(old, next, [sha512('announced')])).rejects.toMatchObject({
    code: 'ERR_CHECKSUM_MISMATCH',
  })
  expect(readFileSync(old, 'utf8')).toBe('old')
  expect(names()).toEqual(['Wheelhouse.AppImage', 'download'])
})

it('does not change the old file if the new one is missing', async () => {
  const { folder, old, names } = files()
  await expect(replaceFile(old, join(folder, 'gone'), [])).rejects.toMatchObject({ code: 'ENOENT' })
  expect(readFileSync(old, 'utf8')).toBe('old')
  expect(names()).toEqual(['Wheelhouse.AppImage', 'download'])
})

it('replaces the target of a symbolic link, and keeps the link', async () => {
  const { folder, old, next } = files()
  const link = join(folder, 'link')
  symlinkSync(old, link)
  await replaceFile(link, next, [sha512('new')])
  expect(readFileSync(old, 'utf8')).toBe('new')
  expect(readFileSync(link, 'utf8')).toBe('new')
})

it('does not write into a file that somebody else put in place of the copy', async () => {
  const { folder, old, next, names } = files()
  const other = join(folder, 'other')
  writeFileSync(other, 'of somebody else')
  symlinkSync(other, `${old}.update`)
  await replaceFile(old, next, [sha512('new')])
  expect(readFileSync(other, 'utf8')).toBe('of somebody else')
  expect(lstatSync(old).isSymbolicLink()).toBe(false)
  expect(readFileSync(old, 'utf8')).toBe('new')

  // A folder that cannot be removed stops the update.
  mkdirSync(`${old}.update`)
  await expect(replaceFile(old, next, [sha512('new')])).rejects.toThrow('.update')
  expect(names()).toContain('Wheelhouse.AppImage')
})
