import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeKey, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { checkedIdentity, listIdentities } from './identities'
import { readKeyFile } from './key-file'
import { readKey } from './private-key'

function ownFolder(): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
function makePem(path: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '', '-f', path])
  return path
}
const variants: Readonly<Record<string, (text: string) => string>> = {
  'as written': (text) => text,
  'after other text': (text) => `Bag Attributes\n${text}`,
  'after a blank line': (text) => `\n${text}`,
  'after a byte order mark': (text) => `\uFEFF${text}`,
  'with CRLF': (text) => text.replaceAll('\n', '\r\n'),
  'without an end of its last line': (text) => text.trimEnd(),
  'before other text': (text) => `${text}more\n`,
}

describeWith(['ssh'], 'a file of a private key', () => {
  for (const [name, make] of [
    ['PEM', makePem],
    ['OpenSSH', (path: string) => makeKey(path)],
  ] as const)
    it.each(Object.entries(variants))(`in ${name} is accepted if ssh reads it: %s`, async (_how, change) => {
      const path = make(join(ownFolder(), 'id'))
      rmSync(`${path}.pub`)
      writeFileSync(path, change(readFileSync(path, 'utf8')), { mode: 0o600 })
      const isRead = spawnSync('ssh-keygen', ['-y', '-P', '', '-f', path]).status === 0
      const checked = checkedIdentity(path, '/home/jane', 'linux')
      if (!isRead) {
        await expect(checked).rejects.toMatchObject({ failure: { reason: 'damaged-key' } })
        expect(await readKeyFile(path)).toBeNull()
        return
      }
      expect(await checked).toBe(path)
      expect(await readKey(path)).toHaveProperty('type')
      expect((await readKeyFile(path))?.blob).not.toBeNull()
    })

  it('of PuTTY is refused with the command that converts it, and is not listed', async () => {
    const home = ownFolder()
    const path = join(home, '.ssh', 'id.ppk')
    execFileSync('mkdir', [join(home, '.ssh')])
    writeFileSync(path, 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n')
    const checked = checkedIdentity(path, home, 'linux')
    await expect(checked).rejects.toMatchObject({ failure: { reason: 'putty-key' } })
    expect(await listIdentities(home, 'linux')).toEqual([])
  })
})
