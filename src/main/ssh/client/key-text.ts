/** Content of a private key file. `text` begins with the key. */
export type KeyText =
  | { readonly kind: 'key'; readonly text: string }
  /** PuTTY's format, which OpenSSH does not read. */
  | { readonly kind: 'putty' }
  /** OpenSSH's format with line ends or a first line that ssh does not accept. */
  | { readonly kind: 'damaged' }

const begin = /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[ \r]*$/m
const openSshEnd = '-----END OPENSSH PRIVATE KEY-----'

function endOf(text: string): number {
  const match = /^-----END (?:[A-Z]+ )*PRIVATE KEY-----(?:\r?\n)?/m.exec(text)
  return match ? match.index + match[0].length : text.length
}

/**
 * Finds the private key in a text as OpenSSH 9.2 does; null: none. A PEM key may follow other lines, a blank line or a byte
 * order mark, and its lines may end with CRLF. A key in OpenSSH's format must begin at the first byte and end every line
 * with LF.
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
