import bcrypt from 'bcrypt-pbkdf'
import { createDecipheriv, createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../core/clock'
import { openSshText, uint32 } from './openssh-format'
import { lockOf } from './openssh-lock'

const wrongPassphrase = new Error('wrong passphrase')

const sha512 = (...data: readonly Buffer[]): Buffer => {
  const hash = createHash('sha512')
  data.forEach((part) => hash.update(part))
  return hash.digest()
}

/**
 * Derives `length` bytes by bcrypt_pbkdf(3). Yields after every round of some 15 ms: ssh2 would block for all of them, and
 * `ssh-keygen -a 100` takes 200.
 */
async function derive(
  passphrase: string,
  salt: Buffer,
  rounds: number,
  length: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const secret = sha512(Buffer.from(passphrase))
  const key = Buffer.alloc(length)
  // bcrypt_pbkdf spreads the bytes of each block over the key.
  const blocks = Math.ceil(length / bcrypt.HASHSIZE)
  for (let block = 0; block < blocks; block += 1) {
    const sum = Buffer.alloc(bcrypt.HASHSIZE)
    const part = Buffer.alloc(bcrypt.HASHSIZE)
    for (let round = 0; round < rounds; round += 1) {
      bcrypt.hash(secret, round === 0 ? sha512(salt, uint32(block + 1)) : sha512(part), part)
      for (const [index, byte] of part.entries()) sum[index] = (sum[index] ?? 0) ^ byte
      await yieldToEventLoop()
      signal?.throwIfAborted()
    }
    for (let index = 0; index * blocks + block < length; index += 1)
      key[index * blocks + block] = sum[index] ?? 0
  }
  return key
}

/**
 * Decrypts a key in OpenSSH's own format and returns its plain text, in memory only. Returns an error if the passphrase is
 * wrong or the encryption is not supported; undefined if the key has another format. Rejects when `signal` aborts.
 */
export async function unlockOpenSsh(
  text: string,
  passphrase: string,
  signal?: AbortSignal,
): Promise<string | Error | undefined> {
  const lock = lockOf(text)
  if (lock === undefined) return undefined
  if (lock === 'unsupported') return new Error('not supported')
  const { key, cipher } = lock
  const { name, keyLength, ivLength } = cipher
  const derived = await derive(passphrase, lock.salt, lock.rounds, keyLength + ivLength, signal)
  const secrets = [derived.subarray(0, keyLength), derived.subarray(keyLength)] as const
  try {
    const decipher =
      name === 'aes-128-gcm' || name === 'aes-192-gcm' || name === 'aes-256-gcm'
        ? createDecipheriv(name, ...secrets).setAuthTag(key.tag)
        : createDecipheriv(name, ...secrets)
    decipher.setAutoPadding(false)
    const secret = Buffer.concat([decipher.update(lock.secret), decipher.final()])
    // Correctly decrypted text begins with the same number twice.
    return secret.readUInt32BE(0) === secret.readUInt32BE(4) ? openSshText(key.blob, secret) : wrongPassphrase
  } catch {
    // The tag doesn't match: a wrong passphrase, or a changed file.
    return wrongPassphrase
  }
}
