import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { sftpServer } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

const in2017 = Date.UTC(2017, 6, 14, 2, 40) / 1000
const timeOf = (...path: readonly string[]): number => Math.floor(statSync(join(...path)).mtimeMs / 1000)
/** A date, because Node reads a negative number as now. */
const setTime = (path: string, at: number): void => utimesSync(path, new Date(at * 1000), new Date(at * 1000))
function file(path: string, at: number, bytes = 3): void {
  writeFileSync(path, Buffer.alloc(bytes, 'x'))
  setTime(path, at)
}

/** Prepares a transfer in this direction between two temporary folders. */
async function ready(direction: 'upload' | 'download', set = {}) {
  const { target } = await sshdTarget(set)
  const harness = filesHarness(target)
  await harness.look()
  const [from, to] = [ownFolder(), direction === 'upload' ? ownFolder() : harness.local]
  const copy = async (...names: readonly string[]) => {
    await (direction === 'upload'
      ? harness.upload(to, ...names.map((name) => join(from, name)))
      : harness.download(from, ...names))
    return (await harness.until('done')).state
  }
  return { ...harness, from, to, copy }
}

describeWith(['sshd'], 'the modification time of a copy', () => {
  for (const direction of ['upload', 'download'] as const) {
    it(`is that of its source: ${direction} of a small and of an empty file`, async () => {
      const { from, to, copy } = await ready(direction)
      file(join(from, 'data'), in2017)
      file(join(from, 'empty'), in2017 + 1, 0)
      expect(await copy('data', 'empty')).toMatchObject({ verified: 'checksum', timesRefused: 0 })
      expect([timeOf(to, 'data'), timeOf(to, 'empty')]).toEqual([in2017, in2017 + 1])
    })

    it(`is that of its source: ${direction} of a large file, by a command`, async () => {
      const { from, to, copy, pick } = await ready(direction)
      pick(join(to, 'model'))
      file(join(from, 'model'), in2017, 5_000_000)
      expect(await copy('model')).toMatchObject({ verified: 'checksum', timesRefused: 0 })
      expect(timeOf(to, 'model')).toBe(in2017)
    })

    it(`is that of its source: ${direction} of folders and many small files`, async () => {
      const { from, to, copy } = await ready(direction)
      const folders = ['all', 'all/inner', 'all/inner/empty']
      mkdirSync(join(from, 'all', 'inner', 'empty'), { recursive: true })
      for (let at = 0; at < 40; at += 1) file(join(from, 'all', 'inner', `f${at}`), in2017 + at)
      folders.forEach((folder, at) => setTime(join(from, folder), in2017 + 1_000 + at))
      expect(await copy('all')).toMatchObject({ verified: 'checksum', timesRefused: 0 })
      const names = readdirSync(join(to, 'all', 'inner')).filter((name) => name !== 'empty')
      expect(names).toHaveLength(40)
      for (const name of names) expect(timeOf(to, 'all', 'inner', name)).toBe(in2017 + Number(name.slice(1)))
      expect(folders.map((folder) => timeOf(to, folder))).toEqual(
        [1_000, 1_001, 1_002].map((at) => in2017 + at),
      )
    })

    it(`is that of its source if it replaces a file: ${direction}`, async () => {
      const { from, to, copy, answering, pick } = await ready(direction)
      answering('replace')
      if (direction === 'download') pick(join(to, 'data'))
      file(join(from, 'data'), in2017)
      file(join(to, 'data'), in2017 + 500)
      await copy('data')
      expect(timeOf(to, 'data')).toBe(in2017)
    })

    it(`is that of its source without a shell on the machine: ${direction}`, async () => {
      const { from, to, copy } = await ready(direction, { ForceCommand: 'internal-sftp' })
      mkdirSync(join(from, 'all'))
      for (let at = 0; at < 30; at += 1) file(join(from, 'all', `f${at}`), in2017 + at)
      setTime(join(from, 'all'), in2017)
      expect(await copy('all')).toMatchObject({ verified: 'size', timesRefused: 0 })
      expect([timeOf(to, 'all'), timeOf(to, 'all', 'f29')]).toEqual([in2017, in2017 + 29])
    })
  }

  it('is a warning if the machine refuses to set it, and the copy is complete', async () => {
    const { from, to, copy } = await ready('upload', { Subsystem: `sftp ${sftpServer} -P setstat,fsetstat` })
    mkdirSync(join(from, 'all'))
    file(join(from, 'all', 'data'), in2017)
    expect(await copy('all')).toMatchObject({ kind: 'done', verified: 'checksum', timesRefused: 2 })
    expect(readdirSync(join(to, 'all'))).toEqual(['data'])
  })

  it('is a warning if tar on the machine does not set it', async () => {
    const bin = ownFolder()
    writeFileSync(join(bin, 'tar'), '#!/bin/sh\nexec /bin/tar -m "$@"\n', { mode: 0o755 })
    const { from, to, copy } = await ready('upload', { SetEnv: `PATH=${bin}:/usr/bin:/bin` })
    mkdirSync(join(from, 'all'))
    for (let at = 0; at < 30; at += 1) file(join(from, 'all', `f${at}`), in2017 + at)
    expect(await copy('all')).toMatchObject({ kind: 'done', verified: 'checksum', timesRefused: 30 })
    expect(timeOf(to, 'all', 'f1')).not.toBe(in2017 + 1)
  })

  it('before 1970 becomes the earliest time of SFTP', async () => {
    const { from, to, copy } = await ready('upload')
    file(join(from, 'old'), -86_400)
    expect(await copy('old')).toMatchObject({ kind: 'done', timesRefused: 0 })
    expect(timeOf(to, 'old')).toBe(0)
  })
})
