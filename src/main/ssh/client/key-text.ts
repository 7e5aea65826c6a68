/** What a file of a private key holds. `text` begins with the key. */
export type KeyText =
  | { readonly kind: 'key'; readonly text: string }
  /** In PuTTY's format, which OpenSSH does not read. */
  | { readonly kind: 'putty' }
  /** In OpenSSH's format, and written so that ssh does not read it. */
  | { readonly kind: 'damaged' }

const begin = /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[ \r]*$/m
const openSshEnd = '-----END OPENSSH PRIVATE KEY-----'

function endOf(text: string): number {
  const found = /^-----END (?:[A-Z]+ )*PRIVATE KEY-----(?:\r?\n)?/m.exec(text)
  return found ? found.index + found[0].length : text.length
}

/**
 * Finds the private key in a text; null: there is none. As OpenSSH 9.2: a key in PEM may follow other lines, a blank line
 * or a byte order mark, and end its lines with CRLF; a key in OpenSSH's format stands at the first byte, with LF at the
 * end of every line.
 */
export function keyTextIn(content: string): KeyText | null {
  const plain = content.replace(/^\uFEFF/, '')
  if (/^PuTTY-User-Key-File-\d+:/.test(plain)) return { kind: 'putty' }
  const at = plain.search(begin)
  if (at < 0) return null
  const text = plain.slice(at)
  const isOpenSsh = text.startsWith('-----BEGIN OPENSSH')
  const isDamaged = content !== text || text.includes('\r') || text.endsWith(openSshEnd)
  if (isOpenSsh && isDamaged) return { kind: 'damaged' }
  return { kind: 'key', text: text.slice(0, endOf(text)) }
}
