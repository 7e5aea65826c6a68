import { createPrivateKey, type KeyObject } from 'node:crypto'
import { openSshText, string } from './openssh-format'

const keyType = 'ssh-ed25519'
const blockSize = 8

/** Converts an Ed25519 key to OpenSSH's own format (PROTOCOL.key): ssh2 reads no other. In memory only. */
function openSshOf(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const seed = Buffer.from(d, 'base64url')
  const publicBytes = Buffer.from(x, 'base64url')
  const check = Buffer.alloc(4)
  const secret = Buffer.concat([
    check,
    check,
    string(keyType),
    string(publicBytes),
    string(Buffer.concat([seed, publicBytes])),
    string(''),
  ])
  const missing = (blockSize - (secret.length % blockSize)) % blockSize
  const padding = Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))
  return openSshText(Buffer.concat([string(keyType), string(publicBytes)]), Buffer.concat([secret, padding]))
}

/**
 * Converts a PKCS #8 key (`BEGIN PRIVATE KEY`, or `BEGIN ENCRYPTED PRIVATE KEY` with its passphrase) to a format of ssh2.
 * Undefined if the text is no such key, or the passphrase is wrong.
 */
export function fromPkcs8(text: string, passphrase?: string): string | undefined {
  try {
    const key = createPrivateKey({ key: text, ...(passphrase !== undefined && { passphrase }) })
    if (key.asymmetricKeyType === 'ed25519') return openSshOf(key)
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }).toString()
    if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }).toString()
    return undefined
  } catch {
    // Node can't read the key.
    return undefined
  }
}
