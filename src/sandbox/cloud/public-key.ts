import { invalid } from '../api-error'

const keyTypes =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)$/

/** Throws ApiError unless `text` is one public key as OpenSSH writes it: type, base64, and perhaps a comment. */
export function requirePublicKey(text: string, field: string): void {
  const [type = '', base64 = ''] = text.trim().split(/\s+/)
  const blob = Buffer.from(base64, 'base64')
  const lengthBytes = 4
  // RFC 4253 §6.6: the blob begins with the type again, as a string with its length.
  const named =
    blob.length > lengthBytes + type.length &&
    blob.readUInt32BE(0) === type.length &&
    blob.subarray(lengthBytes, lengthBytes + type.length).toString('latin1') === type
  if (!keyTypes.test(type) || !named || text.trim().includes('\n')) {
    throw invalid(field, 'must be an SSH public key, such as "ssh-ed25519 AAAA… name"')
  }
}
