import { readOpenSsh, stringAt } from './openssh-format'

/** Minutes of work, which no key is worth: a damaged file may name four thousand million. */
const mostRounds = 20_000

/** Bytes of the initialization vector, by mode of AES. */
const ivLengths: Readonly<Record<string, number>> = { ctr: 16, cbc: 16, gcm: 12 }

/** OpenSSL's name of a cipher of ssh-keygen's, and the bytes of its key and of its initialization vector. */
function cipherOf(name: string) {
  if (name === '3des-cbc') return { name: 'des-ede3-cbc', keyLength: 24, ivLength: 8 }
  const [, bits = '', mode = ''] = /^aes(128|192|256)-(ctr|cbc|gcm)(?:@openssh\.com)?$/.exec(name) ?? []
  const ivLength = ivLengths[mode]
  return ivLength === undefined
    ? undefined
    : { name: `aes-${bits}-${mode}`, keyLength: Number(bits) / 8, ivLength }
}

/**
 * How a key in OpenSSH's own format is encrypted. `unsupported`: in a way, or with so many rounds, that it is not
 * unlocked here; undefined where the key is not encrypted, or in another format.
 */
export function lockOf(text: string) {
  const key = readOpenSsh(text)
  if (key === null || key.cipher === 'none') return undefined
  const cipher = cipherOf(key.cipher)
  const salt = stringAt(key.kdfOptions, 0)
  if (!key.secret || key.kdf !== 'bcrypt' || !cipher) return 'unsupported'
  if (!salt || salt.end + 4 > key.kdfOptions.length) return 'unsupported'
  const rounds = key.kdfOptions.readUInt32BE(salt.end)
  if (rounds > mostRounds) return 'unsupported'
  return { key, secret: key.secret, cipher, salt: salt.value, rounds }
}

/** Whether a passphrase may unlock an encrypted key here: one that cannot is not asked for. */
export const mayUnlock = (text: string): boolean => lockOf(text) !== 'unsupported'
