import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { sftpServer } from '../../../test/fixtures/sshd'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openConnection } from '../ssh/client/connection'
import { newProgress } from './job'
import { oneChannel } from './line'
import { openSftp, type Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { finishThere } from './taken'
import { uploadJob } from './upload-job'

/** SFTP with a real machine. */
async function connected() {
  const { target } = await sshdTarget()
  const outcome = await openConnection(target, new AbortController().signal)
  if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
  const { connection } = outcome
  const clock = fakeClock()
  const sftp = await openSftp(await connection.sftp(), clock)
  onTestFinished(() => connection.close())
  const folder = ownFolder()
  const make = (name: string, text: string): string => {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'log'), text)
    return join(folder, name)
  }
  return { connection, clock, sftp, folder, make }
}
/** Refuses to give a path to anything, once. */
const refusing = (sftp: Sftp, path: string): Sftp => {
  let isRefused = false
  return {
    ...sftp,
    rename(from, to) {
      if (to !== path || isRefused) return sftp.rename(from, to)
      isRefused = true
      return Promise.reject(new SftpError('permission-denied', ''))
    },
  }
}
const log = (...path: readonly string[]): string => readFileSync(join(...path, 'log'), 'utf8')

describeWith(['sshd'], 'what an upload replaces', () => {
  it('is back where the machine refuses the copy its name, and the others are whole', async () => {
    const { connection, clock, sftp, folder, make } = await connected()
    const source = ownFolder()
    const names = ['a', 'b', 'c']
    for (const name of names) {
      make(name, 'old')
      mkdirSync(join(source, name))
      writeFileSync(join(source, name, 'log'), 'new')
    }
    const progress = newProgress()
    const job = uploadJob({
      ...{
        folder,
        paths: names.map((name) => join(source, name)),
        reserved: new Set(),
        platform: process.platform,
        progress,
      },
      ask: { taken: () => Promise.resolve('replace'), links: () => expect.fail('no links') },
    })
    const { exec, pipe } = connection
    const line = { sftp: refusing(sftp, join(folder, 'a')), exec, pipe, clock, ...oneChannel }
    const attempt = () => job.attempt(line, new AbortController().signal)
    await expect(attempt()).rejects.toThrow(SftpError)
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'a.part', 'b', 'c'])
    expect(names.map((name) => log(folder, name))).toEqual(['old', 'new', 'new'])
    // Another attempt goes on from there.
    await attempt()
    expect(readdirSync(folder).toSorted()).toEqual(names)
    expect(log(folder, 'a')).toBe('new')
  })

  it('never goes where somebody else has something', async () => {
    const { sftp, make } = await connected()
    const [final, part] = [make('runs', 'old'), make('runs.part', 'new')]
    make('runs.part.old', 'theirs')
    const moved = new Set<string>()
    const finish = () => finishThere(sftp, { part, final, kind: 'folder', replaces: 'folder' }, moved)
    await expect(finish()).rejects.toThrow('File exists')
    expect([log(final), log(part), log(`${part}.old`)]).toEqual(['old', 'new', 'theirs'])
    // Another attempt, once the person has made room, does not take it for its own.
    rmSync(final, { recursive: true })
    await finish()
    expect([log(final), log(`${part}.old`)]).toEqual(['new', 'theirs'])
  })

  it('stays where the copy is gone before it got the name', async () => {
    const { sftp, folder, make } = await connected()
    const aside = make('runs.part.old', 'old')
    const [part, final] = [join(folder, 'runs.part'), join(folder, 'runs')]
    const copy = { part, final, kind: 'folder', replaces: 'folder' } as const
    await expect(finishThere(sftp, copy, new Set([aside]))).rejects.toThrow(SftpError)
    expect(log(final)).toBe('old')
  })
})

describeWith(['sshd'], 'what has the name already', () => {
  it('is replaced with another place to wait where somebody has that one', async () => {
    const { target } = await sshdTarget()
    const { look, upload, until, answering } = filesHarness(target)
    await look()
    answering('replace')
    const [remote, source] = [ownFolder(), ownFolder()]
    for (const [folder, text] of [
      [join(remote, 'runs'), 'old'],
      [join(remote, 'runs.part.old'), 'theirs'],
      [join(source, 'runs'), 'new'],
    ] as const) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'log'), text)
    }
    await upload(remote, join(source, 'runs'))
    await until('done')
    expect(readdirSync(remote).toSorted()).toEqual(['runs', 'runs.part.old'])
    expect([log(remote, 'runs'), log(remote, 'runs.part.old')]).toEqual(['new', 'theirs'])
  })

  it.each(['posix-rename', 'posix-rename,statvfs,limits,fsync'])(
    'is replaced if the SFTP server denies %s',
    async (denied) => {
      const { target } = await sshdTarget({ Subsystem: `sftp ${sftpServer} -P ${denied}` })
      const { look, upload, until, answering } = filesHarness(target)
      await look()
      answering('replace')
      const [remote, source] = [ownFolder(), ownFolder()]
      writeFileSync(join(remote, 'log'), 'old')
      writeFileSync(join(source, 'log'), 'new')
      await upload(remote, join(source, 'log'))
      await until('done')
      expect([readdirSync(remote), log(remote)]).toEqual([['log'], 'new'])
    },
  )

  const reason = whyNoSmallDisk()
  it.skipIf(reason).each(['upload', 'download'] as const)(
    `and cannot be deleted is named once the %s has replaced it${reason ? ` (skipped: ${reason})` : ''}`,
    async (direction) => {
      const { target } = await sshdTarget()
      const { look, upload, download, until, answering, local } = filesHarness(target)
      await look()
      answering('replace')
      const [from, to] = direction === 'upload' ? [ownFolder(), ownFolder()] : [ownFolder(), local]
      for (const folder of [from, to]) mkdirSync(join(folder, 'runs'))
      writeFileSync(join(from, 'runs', 'log'), 'new')
      const left = join(to, 'runs.part.old')
      mkdirSync(join(to, 'runs', 'disk'))
      smallDisk('1m', join(to, 'runs', 'disk'), join(left, 'disk'))
      await (direction === 'upload' ? upload(to, join(from, 'runs')) : download(from, 'runs'))
      expect((await until('done')).state).toMatchObject({ left: [left] })
      expect(log(to, 'runs')).toBe('new')
      expect(existsSync(join(left, 'disk'))).toBe(true)
    },
  )
})
