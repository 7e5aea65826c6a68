import { parsePublicKey } from '#shared/ssh-public-key'
import { maxKeyBytes, publicHalfBytes, readStart } from './identities'
import { keyTextIn } from './key-text'
import { isOpenSsh, readOpenSsh } from './openssh-format'
import { mayUnlock } from './openssh-lock'

/** Contents of a private key file that need no passphrase. */
export interface KeyFile {
  readonly path: string
  /** Public key in wire format; null if neither the file nor its public key file contains it. */
  readonly blob: Buffer | null
  readonly comment: string | null
  readonly encrypted: boolean
  /** Encrypted in a way that is not supported here. */
  readonly staysLocked: boolean
}

async function publicHalf(
  path: string,
): Promise<{ readonly blob: Buffer; readonly comment: string | null } | null> {
  const text = await readStart(`${path}.pub`, publicHalfBytes).catch(() => '')
  const key = parsePublicKey(text.split('\n', 1)[0] ?? '')
  return key && { blob: Buffer.from(key.base64, 'base64'), comment: key.comment || null }
}

/** Reads a private key file; null: it can't be read, or contains no key that ssh reads. */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const content = await readStart(path, maxKeyBytes + 1).catch(() => '')
  const key = content.length > maxKeyBytes ? null : keyTextIn(content)
  if (key?.kind !== 'key') return null
  const { text } = key
  const publicFile = await publicHalf(path)
  if (isOpenSsh(text)) {
    const head = readOpenSsh(text)
    if (head === null) return null
    // The public key file may belong to another key.
    const comment = publicFile?.blob.equals(head.blob) ? publicFile.comment : null
    const encrypted = head.cipher !== 'none'
    return { path, blob: head.blob, comment, encrypted, staysLocked: !mayUnlock(text) }
  }
  const encrypted = /ENCRYPTED/.test(text)
  const parsed = encrypted ? null : (await import('ssh2')).default.utils.parseKey(text)
  const blob = parsed === null || parsed instanceof Error ? publicFile?.blob : parsed.getPublicSSH()
  return { path, blob: blob ?? null, comment: publicFile?.comment ?? null, encrypted, staysLocked: false }
}
