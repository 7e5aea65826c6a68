import { readOpenSsh, stringAt } from './openssh-format'

/** Minutes of work, which no key is worth: a damaged file may name four thousand million. */
const mostRounds = 20_000

/** Bytes of the initialization vector. */
const ivLengths: Readonly<Record<string, number>> = { ctr: 16, cbc: 16, gcm: 12 }

/**
 * How a key in OpenSSH's own format is encrypted. `unsupported`: in a way, or with so many rounds, that it is not
 * unlocked here; undefined where the key is not encrypted, or in another format.
 */
export function lockOf(text: string) {
  const key = readOpenSsh(text)
  if (key === null || key.cipher === 'none') return undefined
  const [, bits = '', mode = ''] = /^aes(128|192|256)-(ctr|cbc|gcm)(?:@openssh\.com)?$/.exec(key.cipher) ?? []
  const ivLength = ivLengths[mode]
  const salt = stringAt(key.kdfOptions, 0)
  if (!key.secret || key.kdf !== 'bcrypt' || ivLength === undefined) return 'unsupported'
  if (!salt || salt.end + 4 > key.kdfOptions.length) return 'unsupported'
  const rounds = key.kdfOptions.readUInt32BE(salt.end)
  if (rounds > mostRounds) return 'unsupported'
  return { key, secret: key.secret, bits, mode, ivLength, salt: salt.value, rounds }
}

/** Whether a passphrase may unlock an encrypted key here: one that cannot is not asked for. */
export const mayUnlock = (text: string): boolean => lockOf(text) !== 'unsupported'
