import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { sftpServer } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

const modeOf = (...path: readonly string[]): string => (statSync(join(...path)).mode & 0o7777).toString(8)
/** Makes a file with these permissions, whatever the umask. */
function file(path: string, mode: number, bytes = 3): void {
  writeFileSync(path, Buffer.alloc(bytes, 'x'))
  chmodSync(path, mode)
}

let umask = 0
// Servers started by the tests inherit the umask.
beforeEach(() => void (umask = process.umask(0o022)))
afterEach(() => void process.umask(umask))

/** Prepares a transfer in this direction between two temporary folders. */
async function ready(direction: 'upload' | 'download', set = {}, platform = process.platform) {
  const { target, line } = await sshdTarget(set)
  const harness = filesHarness(target, { platform })
  const { look, upload, download, until } = harness
  await look()
  const [from, to] = [ownFolder(), direction === 'upload' ? ownFolder() : harness.local]
  const begin = (...names: readonly string[]) =>
    direction === 'upload' ? upload(to, ...names.map((name) => join(from, name))) : download(from, ...names)
  const copy = async (...names: readonly string[]) => {
    await begin(...names)
    return (await until('done')).state
  }
  return { ...harness, line, from, to, begin, copy }
}

describeWith(['sshd'], 'permissions of a copy', () => {
  for (const direction of ['upload', 'download'] as const) {
    it(`are those of its source, less the umask: ${direction} of files`, async () => {
      const { from, to, copy } = await ready(direction)
      const modes = { key: 0o600, run: 0o755, read: 0o444, open: 0o666, setuid: 0o4755 }
      for (const [name, mode] of Object.entries(modes)) file(join(from, name), mode)
      expect(await copy(...Object.keys(modes))).toMatchObject({ verified: 'checksum', modesRefused: 0 })
      expect(Object.keys(modes).map((name) => modeOf(to, name))).toEqual(['600', '755', '444', '644', '755'])
    })

    it(`are those of its source, less the umask: ${direction} of a large file, by a command`, async () => {
      const { from, to, copy, pick } = await ready(direction)
      pick(join(to, 'model'))
      file(join(from, 'model'), 0o750, 5_000_000)
      expect(await copy('model')).toMatchObject({ verified: 'checksum' })
      expect(modeOf(to, 'model')).toBe('750')
    })

    it(`are those of its source, less the umask: ${direction} of folders and many small files`, async () => {
      const { from, to, copy } = await ready(direction)
      mkdirSync(join(from, 'all', 'read-only', 'inner'), { recursive: true })
      mkdirSync(join(from, 'all', 'shared'))
      mkdirSync(join(from, 'private'))
      const modes = [0o600, 0o755, 0o444, 0o666]
      for (let at = 0; at < 40; at += 1) file(join(from, 'all', `f${at}`), modes[at % 4] ?? 0)
      file(join(from, 'all', 'read-only', 'inner', 'run'), 0o555)
      chmodSync(join(from, 'all', 'read-only', 'inner'), 0o700)
      chmodSync(join(from, 'all', 'read-only'), 0o555)
      chmodSync(join(from, 'all', 'shared'), 0o777)
      chmodSync(join(from, 'private'), 0o700)
      expect(await copy('all', 'private')).toMatchObject({ verified: 'checksum', modesRefused: 0 })
      const files = [0, 1, 2, 3].map((at) => modeOf(to, 'all', `f${at}`))
      expect(files).toEqual(['600', '755', '444', '644'])
      const paths = ['all', 'private', 'all/read-only', 'all/read-only/inner', 'all/shared']
      expect(paths.map((path) => modeOf(to, path))).toEqual(['755', '700', '555', '700', '755'])
      expect(modeOf(to, 'all', 'read-only', 'inner', 'run')).toBe('555')
    })

    it(`are those of the file that it replaces: ${direction}`, async () => {
      const { from, to, copy, answering } = await ready(direction)
      answering('replace')
      for (const [name, mode] of [
        ['script', 0o755],
        ['secret', 0o600],
      ] as const) {
        file(join(from, name), 0o644, 4)
        file(join(to, name), mode)
      }
      expect(await copy('script', 'secret')).toMatchObject({ modesRefused: 0 })
      expect([modeOf(to, 'script'), modeOf(to, 'secret')]).toEqual(['755', '600'])
      expect(statSync(join(to, 'script')).size).toBe(4)
    })

    it(`are private until it is complete: ${direction}`, async () => {
      const { from, to, begin, line, pick, local } = await ready(direction)
      pick(direction === 'download' ? join(local, 'big') : local)
      file(join(from, 'big'), 0o644, 8_000_000)
      line.holdAfter(3_000_000)
      await begin('big')
      await line.held()
      expect(readdirSync(to)).toEqual(['big.part'])
      expect(modeOf(to, 'big.part')).toBe('600')
    })

    it(`of a folder are private until it is complete: ${direction}`, async () => {
      const { from, to, begin, line } = await ready(direction)
      mkdirSync(join(from, 'all'))
      file(join(from, 'all', 'big'), 0o644, 8_000_000)
      line.holdAfter(3_000_000)
      await begin('all')
      await line.held()
      expect([readdirSync(to), modeOf(to, 'all.part')]).toEqual([['all.part'], '700'])
    })
  }

  it('follow the umask of the SFTP server', async () => {
    const { from, to, copy } = await ready('upload', { Subsystem: 'sftp internal-sftp -u 027' })
    file(join(from, 'run'), 0o755)
    mkdirSync(join(from, 'all', 'read-only'), { recursive: true })
    for (let at = 0; at < 30; at += 1) file(join(from, 'all', `f${at}`), 0o644)
    chmodSync(join(from, 'all', 'read-only'), 0o555)
    await copy('run', 'all')
    const modes = ['run', 'all', 'all/f0', 'all/read-only'].map((path) => modeOf(to, path))
    expect(modes).toEqual(['750', '750', '640', '550'])
  })

  it('are a warning if the machine refuses to set them', async () => {
    const { from, to, copy, answering } = await ready('upload', {
      Subsystem: `sftp ${sftpServer} -P setstat,fsetstat`,
    })
    answering('replace')
    file(join(from, 'script'), 0o644)
    file(join(to, 'script'), 0o755)
    file(join(from, 'run'), 0o755)
    expect(await copy('script', 'run')).toMatchObject({ kind: 'done', modesRefused: 1 })
    expect([modeOf(to, 'script'), modeOf(to, 'run')]).toEqual(['600', '755'])
  })

  it('from Windows are those of a new file on the machine', async () => {
    const { from, to, copy } = await ready('upload', {}, 'win32')
    mkdirSync(join(from, 'all'))
    for (const name of ['run', 'all/run']) file(join(from, name), 0o777)
    chmodSync(join(from, 'all'), 0o777)
    await copy('run', 'all')
    expect(['run', 'all', 'all/run'].map((path) => modeOf(to, path))).toEqual(['644', '755', '644'])
  })
})
