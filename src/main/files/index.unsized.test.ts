import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

describeWith(['sshd'], 'a file whose size is reported as 0', () => {
  const isLinux = existsSync('/proc/version')
  const names = ['version', 'uptime']

  it.skipIf(!isLinux)('is downloaded to its end, even if each read differs', async () => {
    const { target } = await sshdTarget()
    const { look, download, until, local } = filesHarness(target)
    await look()
    await download('/proc', ...names)
    const done = await until('done')
    expect(done).toMatchObject({ files: { done: 2 }, state: { verified: 'checksum' } })
    expect(readFileSync(join(local, 'version'))).toEqual(readFileSync('/proc/version'))
    expect(readFileSync(join(local, 'uptime'), 'utf8')).toMatch(/^[\d.]+ [\d.]+\n$/)
    expect(done.bytes.done).toBe(done.bytes.total)
  })

  it.skipIf(!isLinux)('is uploaded to its end', async () => {
    const { target } = await sshdTarget()
    const { look, upload, until } = filesHarness(target)
    await look()
    const to = ownFolder()
    await upload(to, ...names.map((name) => join('/proc', name)))
    await until('done')
    expect(readFileSync(join(to, 'version'))).toEqual(readFileSync('/proc/version'))
    expect(readFileSync(join(to, 'uptime'), 'utf8')).toMatch(/^[\d.]+ [\d.]+\n$/)
  })

  it.each(['upload', 'download'] as const)(
    'stays empty if it has no content, among many files: %s',
    async (direction) => {
      const { target } = await sshdTarget()
      const { look, upload, download, until, local } = filesHarness(target)
      await look()
      const from = ownFolder()
      const to = direction === 'upload' ? ownFolder() : local
      mkdirSync(join(from, 'all'))
      for (let at = 0; at < 30; at += 1) writeFileSync(join(from, 'all', `f${at}`), at % 2 ? 'x' : '')
      await (direction === 'upload' ? upload(to, join(from, 'all')) : download(from, 'all'))
      expect(await until('done')).toMatchObject({
        files: { done: 30 },
        state: { verified: 'checksum', changed: 0 },
      })
      expect(readFileSync(join(to, 'all', 'f2'), 'utf8')).toBe('')
    },
  )
})
