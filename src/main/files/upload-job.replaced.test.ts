import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { refusingRenames, type RefuseRename } from '../../../test/fixtures/refused-renames'
import { channelOf } from '../../../test/fixtures/scripted-sftp'
import { sftpServer } from '../../../test/fixtures/sshd'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openConnection } from '../ssh/client/connection'
import { newProgress } from './transfer-job'
import { openSftp, type Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { finishRemote } from './name-conflicts'
import { uploadJob } from './upload-job'

/** Opens SFTP on a real machine. */
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
/** Refuses the first rename to `path`. */
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

/** Prepares uploads of `log` to a machine that refuses some renames. */
async function replacing(refuse: RefuseRename) {
  const { target } = await sshdTarget()
  const [remote, source] = [ownFolder(), ownFolder()]
  writeFileSync(join(source, 'log'), 'new')
  const harness = filesHarness(target, { open: refusingRenames(refuse) })
  const { look, upload, until, answering, call } = harness
  return {
    remote,
    async quit(): Promise<void> {
      const closed = harness.files.close()
      harness.clock.advance(3)
      await closed
    },
    /** Uploads the file over a file with this content; null: to a free name. */
    async replace(content: string | null) {
      if (content !== null) writeFileSync(join(remote, 'log'), content)
      await look()
      answering('replace')
      await upload(remote, join(source, 'log'))
      const state = async () => (await call['files.transfers']({})).at(-1)?.state
      return {
        until,
        /** Returns the reason once the upload has failed. */
        async failed(): Promise<string> {
          await expect.poll(async () => (await state())?.kind).toBe('failed')
          const last = await state()
          const failure = last?.kind === 'failed' ? last.failure : null
          return failure?.kind === 'local-fault' ? failure.reason : expect.fail(JSON.stringify(last))
        },
      }
    },
  }
}

describeWith(['sshd'], 'a copy of a file', () => {
  it.each([
    ['a failure', [4, 'Failure']],
    ['an unsupported request', [8, 'Operation unsupported']],
    ['missing permissions', [3, 'Permission denied']],
  ] as const)(
    'gets its name if the disk has no hard links and a plain rename reports %s',
    async (_title, refusal) => {
      const { remote, replace } = await replacing(({ kind }) => (kind === 'plain' ? refusal : null))
      const { until } = await replace(null)
      await until('done')
      expect([readdirSync(remote), log(remote)]).toEqual([['log'], 'new'])
    },
  )

  it('does not replace a file that appeared after the plain rename was refused', async () => {
    const { remote, replace } = await replacing(({ kind, to }) => {
      if (kind === 'posix') return null
      writeFileSync(to, 'theirs')
      return [4, 'Failure']
    })
    const { failed } = await replace(null)
    expect(await failed()).toContain('log.part')
    expect(log(remote)).toBe('theirs')
  })

  it.each([
    ['at a free name', null],
    ['over an older file', 'old'],
  ] as const)('is reported with its path if the machine renames nothing, %s', async (_title, before) => {
    const { remote, replace, quit } = await replacing(() => [8, 'Operation unsupported'])
    const { failed } = await replace(before)
    const part = join(remote, 'log.part')
    expect(await failed()).toBe(
      `The copy is complete, but the machine didn’t rename it. It’s at ${part}. Rename it in a terminal before you dismiss this transfer, which deletes it. The machine doesn’t support this.`,
    )
    expect(readFileSync(part, 'utf8')).toBe('new')
    expect(readdirSync(remote)).toHaveLength(before === null ? 1 : 2)
    if (before !== null) expect(log(remote)).toBe(before)
    await quit()
    expect(readFileSync(part, 'utf8')).toBe('new')
  })
})

describeWith(['sshd'], 'a folder that an upload replaces', () => {
  it('is restored if the machine refuses to rename the copy, and other copies are complete', async () => {
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
      folder,
      paths: names.map((name) => join(source, name)),
      reserved: () => new Set(),
      platform: process.platform,
      progress,
      ask: { conflict: () => Promise.resolve('replace'), links: () => expect.fail('no links') },
    })
    const { exec, pipe } = connection
    const channel = channelOf(refusing(sftp, join(folder, 'a')), { exec, pipe, clock })
    const attempt = () => job.attempt(channel, new AbortController().signal)
    await expect(attempt()).rejects.toThrow(SftpError)
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'a.part', 'b', 'c'])
    expect(names.map((name) => log(folder, name))).toEqual(['old', 'new', 'new'])
    // The next attempt continues.
    await attempt()
    expect(readdirSync(folder).toSorted()).toEqual(names)
    expect(log(folder, 'a')).toBe('new')
  })

  it('is never moved over another file', async () => {
    const { sftp, make } = await connected()
    const [final, part] = [make('runs', 'old'), make('runs.part', 'new')]
    make('runs.part.old', 'theirs')
    const moved = new Set<string>()
    const finish = () => finishRemote(sftp, { part, final, kind: 'folder', replaces: 'folder' }, moved)
    await expect(finish()).rejects.toThrow('File exists')
    expect([log(final), log(part), log(`${part}.old`)]).toEqual(['old', 'new', 'theirs'])
    // The next attempt, after the user has made room, does not treat the other file as its own.
    rmSync(final, { recursive: true })
    await finish()
    expect([log(final), log(`${part}.old`)]).toEqual(['new', 'theirs'])
  })

  it('is restored if the copy disappears before it was renamed', async () => {
    const { sftp, folder, make } = await connected()
    const aside = make('runs.part.old', 'old')
    const [part, final] = [join(folder, 'runs.part'), join(folder, 'runs')]
    const copy = { part, final, kind: 'folder', replaces: 'folder' } as const
    await expect(finishRemote(sftp, copy, new Set([aside]))).rejects.toThrow(SftpError)
    expect(log(final)).toBe('old')
  })
})

describeWith(['sshd'], 'an existing file or folder', () => {
  it('is moved to another aside name if the first is in use', async () => {
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

  it.each([
    ['a failure', [4, 'Failure']],
    ['missing permissions', [3, 'Permission denied']],
  ] as const)(
    'is replaced if the machine renames only to free names and reports %s',
    async (_title, refusal) => {
      const { remote, replace } = await replacing(({ to }) => (existsSync(to) ? refusal : null))
      const { until } = await replace('old')
      await until('done')
      expect([readdirSync(remote), log(remote)]).toEqual([['log'], 'new'])
    },
  )

  it('and its copy keep their content if the machine refuses every rename after the first', async () => {
    let isAside = false
    const { remote, replace } = await replacing(({ to }) => {
      if (!isAside && to.endsWith('.part.old')) isAside = true
      else return [4, 'Failure']
      return null
    })
    const { failed } = await replace('old')
    const reason = await failed()
    expect(readdirSync(remote).toSorted()).toEqual(['log.part', 'log.part.old'])
    expect(readFileSync(join(remote, 'log.part'), 'utf8')).toBe('new')
    expect(readFileSync(join(remote, 'log.part.old'), 'utf8')).toBe('old')
    expect(reason).toContain(`It’s at ${join(remote, 'log.part')},`)
    expect(reason).toContain(`and the old item is at ${join(remote, 'log.part.old')}.`)
  })

  const reason = whyNoSmallDisk()
  it.skipIf(reason).each(['upload', 'download'] as const)(
    `that cannot be deleted is reported once the %s has replaced it${reason ? ` (skipped: ${reason})` : ''}`,
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
