import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TransferState } from '#shared/bridge/files'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { sftpServer } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { translate } from '#shared/messages/index'
import { isFollowed, outerLinks } from './links'
import { newProgress } from './transfer-job'

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

async function ready(
  direction: 'upload' | 'download',
  choice: 'ask' | 'copy' | 'skip' = 'skip',
  set: Parameters<typeof sshdTarget>[0] = {},
  platform: NodeJS.Platform = process.platform,
) {
  const { target } = await sshdTarget(set)
  const harness = filesHarness(target, { outerLinks: () => choice, platform })
  await harness.look()
  const [from, to] = [ownFolder(), direction === 'upload' ? ownFolder() : harness.local]
  const begin = (name: string) =>
    direction === 'upload' ? harness.upload(to, join(from, name)) : harness.download(from, name)
  const copy = async (name: string) => {
    await begin(name)
    return harness.until('done')
  }
  return { ...harness, from, to, begin, copy }
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
        files: { done: 62, total: 62 },
        state: { verified: 'checksum', links: { count: 0 } },
      })
      expect(readdirSync(join(to, 'cache')).toSorted()).toEqual(['blobs', 'config', 'current', 'snapshots'])
      expect(text(to, 'cache', 'snapshots', 's29')).toBe('blob 29')
      expect(lstatSync(join(to, 'cache', 'snapshots', 's29')).isFile()).toBe(true)
      expect(text(to, 'cache', 'current', 'run')).toBe('run')
    })

    it(`is skipped and named if it leads out of the folder, nowhere or back: ${direction}`, async () => {
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

    it(`is followed in a folder that was selected by a link: ${direction}`, async () => {
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

/** Makes a folder with links that lead out of it, nowhere, to themselves and back. */
function folderOfLinks(folder: string, outside: string): void {
  writeFileSync(join(outside, 'secret'), 'secret')
  mkdirSync(join(folder, 'inner'), { recursive: true })
  writeFileSync(join(folder, 'data'), 'data')
  for (const [name, target] of [
    ['file', join(outside, 'secret')],
    ['folder', outside],
    ['relative', '../elsewhere'],
    ['nowhere', 'missing'],
    ['itself', 'itself'],
    ['inner/back', '..'],
    ['inner/root', realpathSync(folder)],
  ] as const)
    symlinkSync(target, join(folder, name))
}

describeWith(['sshd'], 'a link that is not followed', () => {
  for (const direction of ['upload', 'download'] as const) {
    it(`is copied as a link if the user chooses that, without reading or writing through it: ${direction}`, async () => {
      const { from, to, copy, answeringLinks } = await ready(direction, 'ask')
      answeringLinks('copy')
      const outside = realpathSync(ownFolder())
      folderOfLinks(join(from, 'runs'), outside)
      expect(await copy('runs')).toMatchObject({
        files: { done: 1, total: 1 },
        state: { verified: 'checksum', linksCopied: 7, links: { count: 0 } },
      })
      const copied = join(to, 'runs')
      const texts = ['file', 'folder', 'relative', 'nowhere', 'itself', 'inner/back', 'inner/root']
      expect(texts.map((name) => readlinkSync(join(copied, name)))).toEqual([
        join(outside, 'secret'),
        outside,
        '../elsewhere',
        'missing',
        'itself',
        '..',
        '..',
      ])
      expect(realpathSync(join(copied, 'inner', 'root'))).toBe(realpathSync(copied))
      expect(readdirSync(copied).toSorted()).toEqual(
        ['data', 'file', 'folder', 'inner', 'itself', 'nowhere', 'relative'].toSorted(),
      )
      expect([readdirSync(outside), text(outside, 'secret')]).toEqual([['secret'], 'secret'])
    })

    it(`causes one question for all links, and is skipped by name if the user chooses that: ${direction}`, async () => {
      const { from, to, copy, files, answeringLinks } = await ready(direction, 'ask')
      const asked: TransferState[] = []
      files.events['files.transfersChanged']((all) => {
        for (const { state } of all)
          if (state.kind === 'asking-links' && asked.length === 0) asked.push(state)
      })
      answeringLinks('skip')
      folderOfLinks(join(from, 'runs'), ownFolder())
      expect(await copy('runs')).toMatchObject({
        state: { linksCopied: 0, links: { count: 7, names: expect.arrayContaining(['runs/inner/back']) } },
      })
      expect(asked).toEqual([
        { kind: 'asking-links', count: 7, names: expect.arrayContaining(['runs/file']) },
      ])
      expect(readdirSync(join(to, 'runs'), { recursive: true })).toEqual(
        expect.arrayContaining(['data', 'inner']),
      )
      expect(readdirSync(join(to, 'runs'), { recursive: true })).toHaveLength(2)
    })

    it(`causes no question if the user has chosen for all transfers: ${direction}`, async () => {
      const { from, to, copy, files } = await ready(direction, 'copy')
      const kinds = new Set<string>()
      files.events['files.transfersChanged']((all) => all.forEach(({ state }) => kinds.add(state.kind)))
      folderOfLinks(join(from, 'runs'), ownFolder())
      expect(await copy('runs')).toMatchObject({ state: { linksCopied: 7 } })
      expect(kinds).not.toContain('asking-links')
      expect(lstatSync(join(to, 'runs', 'folder')).isSymbolicLink()).toBe(true)
    })

    it(`keeps the time of its folder: ${direction}`, async () => {
      const { from, to, copy } = await ready(direction, 'copy')
      folderOfLinks(join(from, 'runs'), ownFolder())
      const at = new Date('2017-07-14T02:40:00Z')
      utimesSync(join(from, 'runs', 'inner'), at, at)
      await copy('runs')
      expect(statSync(join(to, 'runs', 'inner')).mtime).toEqual(at)
    })

    it(`leaves nothing if the transfer is cancelled instead of answered: ${direction}`, async () => {
      const { from, to, begin, call, files } = await ready(direction, 'ask')
      folderOfLinks(join(from, 'runs'), ownFolder())
      const asking = new Promise<string>((resolve) =>
        files.events['files.transfersChanged']((all) => {
          const one = all.find(({ state }) => state.kind === 'asking-links')
          if (one) resolve(one.id)
        }),
      )
      await begin('runs')
      await call['files.cancel']({ transfer: await asking })
      expect(readdirSync(to)).toEqual([])
    })
  }
})

/** SFTP server that expects the paths of SYMLINK in the order of the draft: the link first. */
const linkFirst = `
  const server = require('node:child_process').spawn(process.argv[2], { stdio: ['pipe', 'inherit', 'inherit'] })
  server.on('exit', (code) => process.exit(code ?? 1))
  process.stdin.on('end', () => server.stdin.end())
  let waiting = Buffer.alloc(0)
  process.stdin.on('data', (data) => {
    waiting = Buffer.concat([waiting, data])
    while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE()) {
      const packet = waiting.subarray(0, 4 + waiting.readUInt32BE())
      waiting = waiting.subarray(packet.length)
      const second = packet[4] === 20 ? 13 + packet.readUInt32BE(9) : packet.length
      server.stdin.write(packet[4] === 20
        ? Buffer.concat([packet.subarray(0, 9), packet.subarray(second), packet.subarray(9, second)])
        : packet)
    }
  })
`

describeWith(['sshd'], 'a link that is copied to a machine', () => {
  it('is made at its path by a server that expects the paths in the other order', async () => {
    const folder = ownFolder()
    const outside = realpathSync(ownFolder())
    writeFileSync(join(folder, 'server.cjs'), linkFirst)
    const { from, to, copy } = await ready('upload', 'copy', {
      Subsystem: `sftp ${process.execPath} ${join(folder, 'server.cjs')} ${sftpServer}`,
    })
    mkdirSync(join(from, 'runs'))
    symlinkSync(join(outside, 'new'), join(from, 'runs', 'link'))
    expect(await copy('runs')).toMatchObject({ state: { linksCopied: 1 } })
    expect([readlinkSync(join(to, 'runs', 'link')), readdirSync(join(to, 'runs'))]).toEqual([
      join(outside, 'new'),
      ['link'],
    ])
    expect(readdirSync(outside)).toEqual([])
  })

  it('is reported as failed, with its name and the reason, if the server makes no links', async () => {
    const { from, to, copy } = await ready('upload', 'copy', { Subsystem: `sftp ${sftpServer} -P symlink` })
    mkdirSync(join(from, 'runs'))
    symlinkSync('/etc', join(from, 'runs', 'link'))
    expect(await copy('runs')).toMatchObject({
      state: {
        kind: 'done',
        linksCopied: 0,
        links: { count: 0 },
        linksFailed: {
          count: 1,
          names: ['runs/link'],
          reason: translate('files.problem.permission-denied'),
        },
      },
    })
    expect(readdirSync(join(to, 'runs'))).toEqual([])
  })
})

describeWith(['sshd'], 'a link that is skipped', () => {
  it('does not rename a file on a system that ignores case', async () => {
    const { from, to, begin, until } = await ready('download', 'skip', {}, 'darwin')
    mkdirSync(join(from, 'runs'))
    const letters = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const letter of letters) {
      writeFileSync(join(from, 'runs', letter), letter)
      symlinkSync('/etc', join(from, 'runs', letter.toUpperCase()))
    }
    await begin('runs')
    expect(await until('done')).toMatchObject({ state: { renamed: 0, links: { count: 6 } } })
    expect(readdirSync(join(to, 'runs')).toSorted()).toEqual(letters)
  })
})

it('a link that could not be made is counted once if the connection is lost before the next one', async () => {
  const progress = newProgress()
  const links = outerLinks({ ask: async () => 'copy', progress, unreadable: 'unreadable' })
  for (const name of ['a', 'b', 'c'])
    links.add({ from: `/from/${name}`, to: `/to/${name}`, name, back: null })
  await links.decide(new AbortController().signal, async ({ name }) => (name === 'c' ? null : 'text'))
  let isLost = true
  const make = async (path: string): Promise<string | null> => {
    if (path === '/to/a') return 'refused'
    if (!isLost) return null
    isLost = false
    throw new Error('connection lost')
  }
  await expect(links.make(make)).rejects.toThrow('connection lost')
  await links.make(make)
  expect(progress).toMatchObject({
    links: { count: 0 },
    linksCopied: 1,
    linksFailed: { count: 2, names: ['a', 'c'], reason: 'refused' },
  })
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
