import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

/** Names that look like options, hosts, patterns or comments to tar, scp, sha256sum or a shell. */
const plain = ['-qx', '--help', '10:20:30', 'host:x', ' begins', 'ends ', '*', '~', '#x#', "o'clock"]
/** Names that sha256sum escapes, or that shells read differently. */
const escaped = ['a\\b', 'it!']
const root = '-run 2026-01-02 10:20:30'

/** Makes enough files for an archive, and a file that a command copies. */
function source(names: readonly string[]): string {
  const folder = join(ownFolder(), root)
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true })
    for (let count = 0; count < 10; count += 1)
      writeFileSync(join(folder, name, `${name} ${String(count)}`), `${name} ${String(count)}`)
  }
  writeFileSync(join(folder, '-big: file'), randomBytes(9_000_001))
  return folder
}
const differences = (one: string, other: string): string =>
  execFileSync('diff', ['-r', '--', one, other], { encoding: 'utf8' })

describeWith(['sshd'], 'names that programs may misread', () => {
  it.each([
    ['checksum', plain],
    ['size', [...plain, ...escaped]],
  ])('are copied unchanged in both directions, verified by %s', async (verified, names) => {
    const { target } = await sshdTarget()
    const { look, upload, download, until, local } = filesHarness(target)
    await look()
    const [from, remote] = [source(names), ownFolder()]
    await upload(remote, from)
    expect((await until('done')).state).toMatchObject({ verified, skipped: 0 })
    expect(differences(from, join(remote, root))).toBe('')
    await download(remote, root)
    expect((await until('done')).state).toMatchObject({ verified, skipped: 0, renamed: 0 })
    expect(differences(from, join(local, root))).toBe('')
  })
})
