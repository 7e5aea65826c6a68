import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { isFollowed } from './links'

it.each([
  ['/srv/data/blobs/1', true],
  ['/srv/data', false],
  ['/srv/data/snapshots', false],
  ['/srv/database', false],
  ['/etc/passwd', false],
])('a link in /srv/data/snapshots that leads to %s is followed: %s', (target, followed) => {
  expect(isFollowed(target, ['/srv/data', '/srv/data/snapshots'], '/')).toBe(followed)
})
it('a link below the root folder is followed', () => {
  expect(isFollowed('/etc', ['/', '/srv'], '/')).toBe(true)
})

async function ready(direction: 'upload' | 'download') {
  const { target } = await sshdTarget()
  const harness = filesHarness(target)
  await harness.look()
  const [from, to] = [ownFolder(), direction === 'upload' ? ownFolder() : harness.local]
  const copy = async (name: string) => {
    await (direction === 'upload' ? harness.upload(to, join(from, name)) : harness.download(from, name))
    return harness.until('done')
  }
  return { ...harness, from, to, copy }
}
const text = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8')

describeWith(['sshd'], 'a link within a folder', () => {
  for (const direction of ['upload', 'download'] as const) {
    it(`is followed if it leads to something else in that folder: ${direction}`, async () => {
      const { from, to, copy } = await ready(direction)
      for (const folder of ['blobs', 'snapshots', 'config'])
        mkdirSync(join(from, 'cache', folder), { recursive: true })
      for (let at = 0; at < 30; at += 1) {
        writeFileSync(join(from, 'cache', 'blobs', `b${at}`), `blob ${at}`)
        symlinkSync(`../blobs/b${at}`, join(from, 'cache', 'snapshots', `s${at}`))
      }
      writeFileSync(join(from, 'cache', 'config', 'run'), 'run')
      symlinkSync(join(from, 'cache', 'config'), join(from, 'cache', 'current'))
      expect(await copy('cache')).toMatchObject({
        ...{ files: { done: 62, total: 62 }, state: { verified: 'checksum', links: { count: 0 } } },
      })
      expect(readdirSync(join(to, 'cache')).toSorted()).toEqual(['blobs', 'config', 'current', 'snapshots'])
      expect(text(to, 'cache', 'snapshots', 's29')).toBe('blob 29')
      expect(lstatSync(join(to, 'cache', 'snapshots', 's29')).isFile()).toBe(true)
      expect(text(to, 'cache', 'current', 'run')).toBe('run')
    })

    it(`is left out and named if it leads out of it, nowhere or back: ${direction}`, async () => {
      const { from, to, copy } = await ready(direction)
      const outside = ownFolder()
      writeFileSync(join(outside, 'secret'), 'secret')
      mkdirSync(join(from, 'runs', 'inner'), { recursive: true })
      for (const [name, target] of [
        ['file', join(outside, 'secret')],
        ['folder', outside],
        ['nowhere', 'missing'],
        ['itself', 'itself'],
        ['inner/back', '..'],
      ] as const)
        symlinkSync(target, join(from, 'runs', name))
      expect(await copy('runs')).toMatchObject({
        files: { done: 0, total: 0 },
        state: {
          links: {
            count: 5,
            names: expect.arrayContaining(['runs/file', 'runs/inner/back', 'runs/itself', 'runs/nowhere']),
          },
        },
      })
      expect(readdirSync(join(to, 'runs'), { recursive: true })).toEqual(['inner'])
    })

    it(`is followed in a folder that a link was selected for: ${direction}`, async () => {
      const { from, to, copy } = await ready(direction)
      const data = ownFolder()
      writeFileSync(join(data, 'model'), 'model')
      for (let at = 0; at < 25; at += 1) symlinkSync('model', join(data, `l${at}`))
      symlinkSync(data, join(from, 'data'))
      expect(await copy('data')).toMatchObject({ files: { done: 26 }, state: { links: { count: 0 } } })
      expect(text(to, 'data', 'l24')).toBe('model')
    })
  }
})

describeWith(['sshd'], 'a link to a file that is replaced', () => {
  it.each(['upload', 'download'] as const)('stays, and its file is replaced: %s', async (direction) => {
    const { from, to, copy, answering, pick } = await ready(direction)
    answering('replace')
    const elsewhere = realpathSync(ownFolder())
    writeFileSync(join(elsewhere, 'real'), 'old', { mode: 0o640 })
    symlinkSync(join(elsewhere, 'real'), join(to, 'config'))
    writeFileSync(join(from, 'config'), 'new')
    if (direction === 'download') pick(join(to, 'config'))
    await copy('config')
    expect(lstatSync(join(to, 'config')).isSymbolicLink()).toBe(true)
    expect([text(elsewhere, 'real'), readdirSync(elsewhere)]).toEqual(['new', ['real']])
    expect(lstatSync(join(elsewhere, 'real')).mode & 0o777).toBe(0o640)
    expect(readdirSync(to)).toEqual(['config'])
  })
})
