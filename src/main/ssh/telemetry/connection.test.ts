import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import ssh2 from 'ssh2'
import { expect, it, onTestFinished } from 'vitest'
import { describeWith } from '../../../../test/fixtures/system-parts'
import { makeKey as makeKeyFile, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { hostKeyOf } from '../host-key'
import { openConnection } from './connection'
import type { OfferedKey } from './offered-keys'

/** A key as ssh2 reads it. */
function parsed(text: string): ssh2.ParsedKey {
  const key = ssh2.utils.parseKey(text)
  return key instanceof Error ? expect.fail(key.message) : key
}

const newKey = (username: string, name: string): OfferedKey => ({
  name,
  method: {
    type: 'publickey',
    username,
    key: parsed(ssh2.utils.generateKeyPairSync('ed25519').private),
  },
})

describeWith(['sshd'], 'a real sshd', () => {
  it('that ends the sign-in after too many keys has refused them', async () => {
    const folder = temporaryFolder()
    const hostKey = makeKeyFile(join(folder, 'host'))
    const sshd = await startSshd({ hostKeys: [hostKey], admits: makeKeyFile(join(folder, 'id')) })
    onTestFinished(() => sshd.close())
    const outcome = await openConnection({
      host: '127.0.0.1',
      port: sshd.port,
      known: [hostKeyOf(parsed(readFileSync(`${hostKey}.pub`, 'utf8')).getPublicSSH())],
      keys: ['1', '2', '3', '4', '5', '6', '7'].map((name) => newKey(sshd.user, name)),
    })
    expect(await sshd.logged(/Too many authentication failures|maximum authentication attempts/)).toBeTruthy()
    expect(outcome).toEqual({ kind: 'key-refused' })
  })
})
