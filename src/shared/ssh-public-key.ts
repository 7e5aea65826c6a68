export interface PublicKey {
  readonly type: string
  readonly base64: string
  readonly comment: string
}

const types =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)$/
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes the first `count` bytes of base64 text. */
function firstBytes(base64: string, count: number): readonly number[] {
  const bytes: number[] = []
  for (let bits = 0, buffer = 0, at = 0; bytes.length < count && at < base64.length; at += 1) {
    const digit = alphabet.indexOf(base64[at] ?? '')
    if (digit < 0) return bytes
    buffer = (buffer << 6) | digit
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes.push((buffer >> bits) & 0xff)
    buffer &= (1 << bits) - 1
  }
  return bytes
}

/**
 * Parses an OpenSSH public key (type, base64, optional comment). Returns null for a private key, another format or a
 * truncated line. The blob repeats the type (RFC 4253 §6.6).
 */
export function parsePublicKey(text: string): PublicKey | null {
  const line = text.trim()
  const [matched, type = '', base64 = '', comment = ''] =
    /^(\S+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+(.*))?$/.exec(line) ?? []
  if (matched === undefined || !types.test(type) || base64.length % 4 !== 0) return null
  const head = firstBytes(base64, 4 + type.length)
  const expected = [0, 0, 0, type.length, ...[...type].map((letter) => letter.charCodeAt(0))]
  const whole = (base64.replace(/=+$/, '').length * 3) / 4 > expected.length
  return whole && expected.every((byte, at) => head[at] === byte)
    ? { type, base64, comment: comment.trim() }
    : null
}

/** Whether a text looks like a private key, which must never be sent or stored. */
export const isPrivateKeyText = (text: string): boolean => /PRIVATE KEY-----|^PuTTY-User-Key-File/m.test(text)
