/** RFC 4251 §5. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** RFC 4251 §5: a string is its length, followed by its bytes. */
export function string(value: Buffer | string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** Reads the string at an offset of `data`; undefined if it is cut off. `end`: offset after it. */
export function stringAt(
  data: Buffer,
  at: number,
): { readonly value: Buffer; readonly end: number } | undefined {
  if (at + 4 > data.length) return undefined
  const end = at + 4 + data.readUInt32BE(at)
  return end > data.length ? undefined : { value: data.subarray(at + 4, end), end }
}

/** A private key in OpenSSH's own format (PROTOCOL.key). */
export interface OpenSshKey {
  /** `none`: not encrypted. */
  readonly cipher: string
  readonly kdf: string
  readonly kdfOptions: Buffer
  /** Public key in wire format. */
  readonly blob: Buffer
  /** Private keys; undefined if the text is cut off. `tag`: authentication tag of the cipher, possibly empty. */
  readonly secret: Buffer | undefined
  readonly tag: Buffer
}

const frame = 'OPENSSH PRIVATE KEY'
const framed = new RegExp(`-----BEGIN ${frame}-----([A-Za-z0-9+/=\\s]+)-----END`)
const magic = Buffer.from('openssh-key-v1\0')

export const isOpenSsh = (text: string): boolean => framed.test(text)

/** Parses a key; null if the text is no such key, or is cut off before its public half. */
export function readOpenSsh(text: string): OpenSshKey | null {
  const data = Buffer.from(framed.exec(text)?.[1] ?? '', 'base64')
  if (!data.subarray(0, magic.length).equals(magic)) return null
  const cipher = stringAt(data, magic.length)
  const kdf = cipher && stringAt(data, cipher.end)
  const options = kdf && stringAt(data, kdf.end)
  // Skips the number of keys, which is always 1.
  const blob = options && stringAt(data, options.end + 4)
  if (!blob) return null
  const secret = stringAt(data, blob.end)
  return {
    cipher: cipher.value.toString('latin1'),
    kdf: kdf.value.toString('latin1'),
    kdfOptions: options.value,
    blob: blob.value,
    secret: secret?.value,
    tag: data.subarray(secret?.end ?? data.length),
  }
}

/** Writes an unencrypted key. In memory only. */
export function openSshText(blob: Buffer, secret: Buffer): string {
  const none = [string('none'), string('none'), string('')]
  const file = Buffer.concat([magic, ...none, uint32(1), string(blob), string(secret)])
  const lines = file.toString('base64').match(/.{1,70}/g) ?? []
  return [`-----BEGIN ${frame}-----`, ...lines, `-----END ${frame}-----`, ''].join('\n')
}
