import ssh2, { type ParsedKey } from 'ssh2'
import { maxKeyBytes, readStart } from './identities'
import { keyTextIn } from './key-text'
import { fromPkcs8 } from './pkcs8'
import { unlockOpenSsh } from './unlock-openssh'

/** An identity file that cannot be used. */
export interface UnusableKey {
  readonly kind: 'key-unusable'
  readonly path: string
  readonly why: 'missing' | 'encrypted' | 'not-understood'
}

/** Parses a private key for ssh2. Returns ssh2's error if that fails. */
async function parse(text: string, passphrase?: string, signal?: AbortSignal): Promise<ParsedKey | Error> {
  const unlocked = passphrase === undefined ? undefined : await unlockOpenSsh(text, passphrase, signal)
  if (unlocked instanceof Error) return unlocked
  if (unlocked !== undefined) return ssh2.utils.parseKey(unlocked)
  const own = ssh2.utils.parseKey(text, passphrase)
  if (!(own instanceof Error)) return own
  const converted = fromPkcs8(text, passphrase)
  const parsed = converted === undefined ? own : ssh2.utils.parseKey(converted)
  return parsed instanceof Error ? own : parsed
}

/** Reads a private key file for ssh2. Rejects when `signal` aborts. */
export async function readKey(
  path: string,
  passphrase?: string,
  signal?: AbortSignal,
): Promise<ParsedKey | UnusableKey> {
  const unusable = (why: UnusableKey['why']): UnusableKey => ({ kind: 'key-unusable', path, why })
  let text: string
  try {
    text = await readStart(path, maxKeyBytes + 1)
  } catch {
    // ssh would continue without the file; here it is an error, whatever the system's reason.
    return unusable('missing')
  }
  if (text.length > maxKeyBytes) return unusable('not-understood')
  const key = keyTextIn(text)
  const parsed = await parse(key?.kind === 'key' ? key.text : text, passphrase, signal)
  if (!(parsed instanceof Error)) return parsed.isPrivateKey() ? parsed : unusable('not-understood')
  const isEncrypted = /encrypted|passphrase/i.test(parsed.message) || text.includes('ENCRYPTED')
  return unusable(isEncrypted ? 'encrypted' : 'not-understood')
}
