import { parsePublicKey } from '#shared/ssh-public-key'
import { longestKey, publicHalfBytes, readStart } from './identities'
import { keyTextIn } from './key-text'
import { isOpenSsh, readOpenSsh } from './openssh-format'
import { mayUnlock } from './openssh-lock'

/** What a private key file shows without its passphrase. */
export interface KeyFile {
  readonly path: string
  /** The public key as it goes over the wire; null where neither the file nor the one beside it shows it. */
  readonly blob: Buffer | null
  readonly comment: string | null
  readonly encrypted: boolean
  /** Encrypted in a way that no passphrase can undo here. */
  readonly staysLocked: boolean
}

async function publicHalf(
  path: string,
): Promise<{ readonly blob: Buffer; readonly comment: string | null } | null> {
  const text = await readStart(`${path}.pub`, publicHalfBytes).catch(() => '')
  const key = parsePublicKey(text.split('\n', 1)[0] ?? '')
  return key && { blob: Buffer.from(key.base64, 'base64'), comment: key.comment || null }
}

/** Reads the private key in a file; null: there is none that ssh reads, or the file can't be read. */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const content = await readStart(path, longestKey + 1).catch(() => '')
  const key = content.length > longestKey ? null : keyTextIn(content)
  if (key?.kind !== 'key') return null
  const { text } = key
  const beside = await publicHalf(path)
  if (isOpenSsh(text)) {
    const head = readOpenSsh(text)
    if (head === null) return null
    // What the file itself holds counts: a public half beside it may be another's.
    const comment = beside?.blob.equals(head.blob) ? beside.comment : null
    const encrypted = head.cipher !== 'none'
    return { path, blob: head.blob, comment, encrypted, staysLocked: !mayUnlock(text) }
  }
  const encrypted = /ENCRYPTED/.test(text)
  const parsed = encrypted ? null : (await import('ssh2')).default.utils.parseKey(text)
  const blob = parsed === null || parsed instanceof Error ? beside?.blob : parsed.getPublicSSH()
  return { path, blob: blob ?? null, comment: beside?.comment ?? null, encrypted, staysLocked: false }
}
