import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const keyFor = (storeKey: string, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(storeKey, 'hex'), '', `wheelhouse file ${name}`, 32))

/**
 * Encrypts and authenticates the content of a small file, which is read before the database opens. `storeKey`: the store's
 * key, in hexadecimal. `name`: the file's name; only a file of that name can be opened with the result.
 */
export function seal(storeKey: string, name: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, keyFor(storeKey, name), nonce)
  const encrypted = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), encrypted])
}

/** Returns the text that was sealed under this key and name; undefined if `sealed` is anything else. */
export function unseal(storeKey: string, name: string, sealed: Buffer): string | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const nonce = sealed.subarray(0, nonceBytes)
  const encrypted = sealed.subarray(nonceBytes + tagBytes)
  const decryption = createDecipheriv(cipher, keyFor(storeKey, name), nonce, { authTagLength: tagBytes })
  decryption.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return decryption.update(encrypted, undefined, 'utf8') + decryption.final('utf8')
  } catch {
    // The file was altered, or sealed under another key or name.
    return undefined
  }
}
