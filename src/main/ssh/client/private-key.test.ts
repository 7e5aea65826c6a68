import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeKey, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { readKeyFile } from './key-file'
import { readKey } from './private-key'

const passphrase = 'wörd $(id) "'

/** A key that ssh-keygen has encrypted so. */
function lockedKey(type: 'ed25519' | 'rsa', ...how: readonly string[]): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = makeKey(join(folder, 'id'), type)
  execFileSync('ssh-keygen', ['-q', '-p', '-N', passphrase, ...how, '-f', path])
  return path
}

describeWith(['ssh'], 'a key that ssh-keygen has encrypted', () => {
  it.each([
    ['usually', []],
    ['by CBC', ['-Z', 'aes192-cbc', '-a', '2']],
    ['with a shorter key', ['-Z', 'aes128-ctr', '-a', '3']],
    ['by triple DES', ['-Z', '3des-cbc', '-a', '1']],
    ['by GCM', ['-Z', 'aes256-gcm@openssh.com', '-a', '1']],
  ])('%s is read only with its passphrase', async (_, how) => {
    const path = lockedKey('rsa', ...how)
    const key = await readKey(path, passphrase)
    if ('kind' in key) return expect.fail(key.why)
    expect(key.getPublicSSH()).toEqual((await readKeyFile(path))?.blob)
    expect(key.isPrivateKey()).toBe(true)
    expect(await readKey(path, 'other')).toMatchObject({ why: 'encrypted' })
  })

  it('with too many rounds is not tried', async () => {
    const path = lockedKey('ed25519', '-a', '1')
    const [begin = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
    const data = Buffer.from(lines.slice(0, -1).join(''), 'base64')
    const salt = data.indexOf('bcrypt') + 'bcrypt'.length + 4
    data.writeUInt32BE(0xffff_ffff, salt + 4 + data.readUInt32BE(salt))
    writeFileSync(path, [begin, data.toString('base64'), lines.at(-1), ''].join('\n'))
    expect(await readKey(path, passphrase)).toMatchObject({ why: 'not-understood' })
  })

  it('with many rounds does not block the event loop', async () => {
    const path = lockedKey('ed25519', '-a', '20')
    let turns = 0
    let isRead = false
    const count = (): void => {
      turns += 1
      if (!isRead) setImmediate(count)
    }
    count()
    expect(await readKey(path, passphrase)).not.toHaveProperty('why')
    isRead = true
    expect(turns, 'two blocks of 20 rounds').toBeGreaterThanOrEqual(40)
  })
})
