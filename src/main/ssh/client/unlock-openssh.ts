import bcrypt from 'bcrypt-pbkdf'
import { createDecipheriv, createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../core/clock'
import { openSshText, uint32 } from './openssh-format'
import { lockOf } from './openssh-lock'

const wrongPassphrase = new Error('wrong passphrase')

const sha512 = (...data: readonly Buffer[]): Buffer => {
  const hash = createHash('sha512')
  data.forEach((one) => hash.update(one))
  return hash.digest()
}

/**
 * `length` bytes by bcrypt_pbkdf(3). The event loop runs after every round of some 15 ms: ssh2 does all of them at once,
 * and `ssh-keygen -a 100` asks for 200.
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
  // The bytes of each block are spread over the key.
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
 * An encrypted key in OpenSSH's own format, by its passphrase: its text without encryption, in memory only. An error where
 * the passphrase is wrong, or no use; undefined where the key is in another format. Rejects once `signal` aborts.
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
  const given = [derived.subarray(0, keyLength), derived.subarray(keyLength)] as const
  try {
    const decipher =
      name === 'aes-128-gcm' || name === 'aes-192-gcm' || name === 'aes-256-gcm'
        ? createDecipheriv(name, ...given).setAuthTag(key.tag)
        : createDecipheriv(name, ...given)
    decipher.setAutoPadding(false)
    const secret = Buffer.concat([decipher.update(lock.secret), decipher.final()])
    // The same number twice, where it was decrypted rightly.
    return secret.readUInt32BE(0) === secret.readUInt32BE(4) ? openSshText(key.blob, secret) : wrongPassphrase
  } catch {
    // Another tag than that of the right passphrase, or a file that was changed.
    return wrongPassphrase
  }
}
