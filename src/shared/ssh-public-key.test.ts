import { describe, expect, it } from 'vitest'
import { isPrivateKeyText, parsePublicKey } from './ssh-public-key'

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV'

describe('a public key', () => {
  it('is one line of type, base64 and an optional comment', () => {
    expect(parsePublicKey(`${ed25519} ada@lovelace of London\n`)).toMatchObject({
      type: 'ssh-ed25519',
      comment: 'ada@lovelace of London',
    })
    expect(parsePublicKey(ed25519)).toMatchObject({ comment: '' })
  })

  it('is nothing else', () => {
    for (const text of [
      '',
      'ssh-ed25519',
      'ssh-ed25519 AAAA',
      ed25519.slice(0, -1),
      ed25519.replace('ssh-ed25519', 'ssh-rsa'),
      ed25519.replace('ssh-ed25519', 'ssh-dss'),
      `${ed25519}\n${ed25519}`,
      `command="x" ${ed25519}`,
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----',
      'constructor AAAA',
    ])
      expect(parsePublicKey(text), text).toBeNull()
  })
})

it('a private key is recognised, so that it is neither sent nor stored', () => {
  expect(isPrivateKeyText('-----BEGIN OPENSSH PRIVATE KEY-----\nx')).toBe(true)
  expect(isPrivateKeyText('-----BEGIN RSA PRIVATE KEY-----\nx')).toBe(true)
  expect(isPrivateKeyText('PuTTY-User-Key-File-3: ssh-ed25519')).toBe(true)
  expect(isPrivateKeyText(ed25519)).toBe(false)
})
