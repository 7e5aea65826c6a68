import { createPrivateKey, createPublicKey } from 'node:crypto'

/** Ed25519 key pair in OpenSSH's format: text of the private file and line of the public file. */
export interface KeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

const keyType = 'ssh-ed25519'

// RFC 8410: DER prefix of a private ed25519 key in PKCS #8, and length of the prefix of a public key in SPKI.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiPrefixLength = 12

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Encodes a string: its length and its bytes (RFC 4251 §5). */
export const string = (value: Buffer | string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** Creates the file of an unencrypted private key (PROTOCOL.key). `secretSection`: without its padding. */
export function openSshFile(publicBlob: Buffer, secretSection: Buffer): string {
  const blockSize = 8
  const padding = Buffer.from(
    Array.from(
      { length: (blockSize - (secretSection.length % blockSize)) % blockSize },
      (_, index) => index + 1,
    ),
  )
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    string('none'),
    string('none'),
    string(''),
    uint32(1),
    string(publicBlob),
    string(Buffer.concat([secretSection, padding])),
  ])
  const lines = file.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}

/**
 * Creates the key pair of a seed of 32 bytes. The private key is unencrypted and in OpenSSH's format (PROTOCOL.key), because
 * neither ssh nor ssh2 reads ed25519 keys from PKCS #8.
 */
export function openSshKeyPair(seed: Buffer, comment: string): KeyPair {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const publicBytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiPrefixLength)
  const publicBlob = Buffer.concat([string(keyType), string(publicBytes)])
  const check = seed.subarray(0, 4)
  const secretSection = Buffer.concat([
    check,
    check,
    string(keyType),
    string(publicBytes),
    string(Buffer.concat([seed, publicBytes])),
    string(comment),
  ])
  return {
    privateKey: openSshFile(publicBlob, secretSection),
    publicKey: `${keyType} ${publicBlob.toString('base64')} ${comment}`,
  }
}
