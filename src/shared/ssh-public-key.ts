/** The parts of one line of an OpenSSH public key file. */
export interface PublicKey {
  readonly type: string
  readonly base64: string
  readonly comment: string
}

const types =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)$/
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The first `count` bytes of base64 text, which is known to be plain. */
function firstBytes(base64: string, count: number): readonly number[] {
  const bytes: number[] = []
  for (let bits = 0, held = 0, at = 0; bytes.length < count && at < base64.length; at += 1) {
    const digit = alphabet.indexOf(base64[at] ?? '')
    if (digit < 0) return bytes
    held = (held << 6) | digit
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
    held &= (1 << bits) - 1
  }
  return bytes
}

/**
 * A public key as OpenSSH writes it (type, base64, perhaps a comment), null where the text is none: a private key,
 * another format, or a line that was cut. The blob begins with its type again (RFC 4253 §6.6).
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

/** Whether a text looks like a private key, which must never be sent or kept. */
export const isPrivateKeyText = (text: string): boolean => /PRIVATE KEY-----|^PuTTY-User-Key-File/m.test(text)
