import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'
import { describe, expect, it } from 'vitest'
import { openSshKeyPair } from './openssh-key'

describe('an ed25519 key pair in the format of OpenSSH', () => {
  const pair = openSshKeyPair(createHash('sha256').update('a seed').digest(), 'a comment')

  it('can be read by ssh2, both halves', () => {
    const parsed = ssh2.utils.parseKey(pair.privateKey)
    if (parsed instanceof Error || Array.isArray(parsed)) throw new Error('not one key')
    expect(parsed).toMatchObject({ type: 'ssh-ed25519', comment: 'a comment' })
    expect(parsed.isPrivateKey()).toBe(true)
    expect(pair.publicKey).toBe(`ssh-ed25519 ${parsed.getPublicSSH().toString('base64')} a comment`)
    const signature = parsed.sign('text')
    const other = ssh2.utils.parseKey(pair.publicKey)
    if (other instanceof Error || Array.isArray(other)) throw new Error('not one key')
    expect(other.verify('text', signature)).toBe(true)
  })

  it('depends only on its seed', () => {
    const again = openSshKeyPair(createHash('sha256').update('a seed').digest(), 'a comment')
    expect(again).toEqual(pair)
    expect(openSshKeyPair(Buffer.alloc(32, 1), 'a comment').publicKey).not.toBe(pair.publicKey)
  })
})
