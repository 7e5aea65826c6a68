import { parsePublicKey } from '#shared/ssh-public-key'
import { publicHalfBytes, readStart } from './identities'

/** What a private key file shows without its passphrase. */
export interface KeyFile {
  readonly path: string
  /** The public key as it goes over the wire; null where neither the file nor the one beside it shows it. */
  readonly blob: Buffer | null
  readonly comment: string | null
  readonly encrypted: boolean
}

/** Bytes; a private key is longer than that only by mistake. */
const longestKey = 100_000
const openSsh = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END/
const header = /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/
const magic = Buffer.from('openssh-key-v1\0')

/** The cipher and the public key of an OpenSSH private key (PROTOCOL.key); null where the text is cut. */
function openSshHead(base64: string): { readonly cipher: string; readonly blob: Buffer } | null {
  const data = Buffer.from(base64, 'base64')
  if (!data.subarray(0, magic.length).equals(magic)) return null
  let at = magic.length
  const read = (): Buffer | null => {
    if (at + 4 > data.length) return null
    const end = at + 4 + data.readUInt32BE(at)
    if (end > data.length) return null
    const value = data.subarray(at + 4, end)
    at = end
    return value
  }
  const [cipher] = [read(), read(), read()]
  // The number of keys, which is always one.
  at += 4
  const blob = read()
  return cipher && blob ? { cipher: cipher.toString('latin1'), blob } : null
}

async function publicHalf(
  path: string,
): Promise<{ readonly blob: Buffer; readonly comment: string | null } | null> {
  const text = await readStart(`${path}.pub`, publicHalfBytes).catch(() => '')
  const key = parsePublicKey(text.split('\n', 1)[0] ?? '')
  return key && { blob: Buffer.from(key.base64, 'base64'), comment: key.comment || null }
}

/** The private key in a file; null where there is none, it is no file, longer than any key, or not ours to read. */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const text = await readStart(path, longestKey + 1).catch(() => '')
  if (text.length > longestKey || !header.test(text)) return null
  const beside = await publicHalf(path)
  const own = openSsh.exec(text)?.[1]
  if (own !== undefined) {
    const head = openSshHead(own)
    if (head === null) return null
    // What the file itself holds counts: a public half beside it may be another's.
    const comment = beside?.blob.equals(head.blob) ? beside.comment : null
    return { path, blob: head.blob, comment, encrypted: head.cipher !== 'none' }
  }
  const encrypted = /ENCRYPTED/.test(text)
  const parsed = encrypted ? null : (await import('ssh2')).default.utils.parseKey(text)
  const blob = parsed === null || parsed instanceof Error ? beside?.blob : parsed.getPublicSSH()
  return { path, blob: blob ?? null, comment: beside?.comment ?? null, encrypted }
}
