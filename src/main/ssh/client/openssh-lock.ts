import { readOpenSsh, stringAt } from './openssh-format'

/** Upper bound on rounds, some minutes of work: a damaged file may name four thousand million. */
const maxRounds = 20_000

/** Bytes of the initialization vector, by mode of AES. */
const ivLengths: Readonly<Record<string, number>> = { ctr: 16, cbc: 16, gcm: 12 }

/** Returns OpenSSL's name for a cipher of ssh-keygen, with the lengths of its key and initialization vector in bytes. */
function cipherOf(name: string) {
  if (name === '3des-cbc') return { name: 'des-ede3-cbc', keyLength: 24, ivLength: 8 }
  const [, bits = '', mode = ''] = /^aes(128|192|256)-(ctr|cbc|gcm)(?:@openssh\.com)?$/.exec(name) ?? []
  const ivLength = ivLengths[mode]
  return ivLength === undefined
    ? undefined
    : { name: `aes-${bits}-${mode}`, keyLength: Number(bits) / 8, ivLength }
}

/**
 * Returns how a key in OpenSSH's own format is encrypted. `unsupported`: an unknown cipher, or too many rounds. Undefined
 * if the key is not encrypted, or has another format.
 */
export function lockOf(text: string) {
  const key = readOpenSsh(text)
  if (key === null || key.cipher === 'none') return undefined
  const cipher = cipherOf(key.cipher)
  const salt = stringAt(key.kdfOptions, 0)
  if (!key.secret || key.kdf !== 'bcrypt' || !cipher) return 'unsupported'
  if (!salt || salt.end + 4 > key.kdfOptions.length) return 'unsupported'
  const rounds = key.kdfOptions.readUInt32BE(salt.end)
  if (rounds > maxRounds) return 'unsupported'
  return { key, secret: key.secret, cipher, salt: salt.value, rounds }
}

/** Whether a passphrase can unlock an encrypted key here. */
export const mayUnlock = (text: string): boolean => lockOf(text) !== 'unsupported'
