import bcrypt from 'bcrypt-pbkdf'
import { createDecipheriv, createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../core/clock'
import { openSshText, readOpenSsh, stringAt, uint32 } from './openssh-format'

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

/** Minutes of work, which no key is worth: a damaged file may name four thousand million. */
const mostRounds = 20_000

/** Bytes of the initialization vector. */
const ivLengths: Readonly<Record<string, number>> = { ctr: 16, cbc: 16, gcm: 12 }

/**
 * How a key in OpenSSH's own format is encrypted. `no`: in a way, or with so many rounds, that it is not unlocked here;
 * undefined where the key is not encrypted, or in another format.
 */
function lockOf(text: string) {
  const key = readOpenSsh(text)
  if (key === null || key.cipher === 'none') return undefined
  const [, bits = '', mode = ''] = /^aes(128|192|256)-(ctr|cbc|gcm)(?:@openssh\.com)?$/.exec(key.cipher) ?? []
  const ivLength = ivLengths[mode]
  const salt = stringAt(key.kdfOptions, 0)
  if (!key.secret || key.kdf !== 'bcrypt' || ivLength === undefined) return 'no'
  if (!salt || salt.end + 4 > key.kdfOptions.length) return 'no'
  const rounds = key.kdfOptions.readUInt32BE(salt.end)
  if (rounds > mostRounds) return 'no'
  return { key, secret: key.secret, bits, mode, ivLength, salt: salt.value, rounds }
}

/** Whether a passphrase may unlock an encrypted key here: one that cannot is not asked for. */
export const mayUnlock = (text: string): boolean => lockOf(text) !== 'no'

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
  if (lock === 'no') return new Error('not supported')
  const { key, bits, mode, ivLength } = lock
  const keyLength = Number(bits) / 8
  const derived = await derive(passphrase, lock.salt, lock.rounds, keyLength + ivLength, signal)
  const given = [derived.subarray(0, keyLength), derived.subarray(keyLength)] as const
  try {
    const decipher =
      mode === 'gcm'
        ? createDecipheriv(bits === '128' ? 'aes-128-gcm' : 'aes-256-gcm', ...given).setAuthTag(key.tag)
        : createDecipheriv(`aes-${bits}-${mode}`, ...given)
    decipher.setAutoPadding(false)
    const secret = Buffer.concat([decipher.update(lock.secret), decipher.final()])
    // The same number twice, where it was decrypted rightly.
    return secret.readUInt32BE(0) === secret.readUInt32BE(4) ? openSshText(key.blob, secret) : wrongPassphrase
  } catch {
    // Another tag than that of the right passphrase, or a file that was changed.
    return wrongPassphrase
  }
}
