import type { X509Certificate } from 'node:crypto'

/** Certificate fields that a verifier needs (RFC 5280) and Node's X509Certificate lacks. */
export interface CertificateExtensions {
  /** Object identifier of the signature algorithm, in hex. */
  readonly signature: string
  /** Object identifiers of extensions, in hex. */
  readonly critical: readonly string[]
  readonly all: readonly string[]
  /** Upper bound on the authorities between this one and the server's certificate; null: none. */
  readonly pathLength: number | null
}

interface Element {
  readonly tag: number
  readonly value: Buffer
}

const tags = { boolean: 1, integer: 2, extensions: 0xa3 } as const
const basicConstraints = '551d13'

/** Parses the elements of a DER sequence. Throws RangeError if it is truncated. */
function elements(der: Buffer): readonly Element[] {
  const list: Element[] = []
  for (let offset = 0; offset < der.length;) {
    const tag = der.readUInt8(offset)
    const first = der.readUInt8(offset + 1)
    const bytes = first < 0x80 ? 0 : first - 0x80
    const length = bytes === 0 ? first : der.readUIntBE(offset + 2, bytes)
    const start = offset + 2 + bytes
    if (start + length > der.length) throw new RangeError('cut')
    list.push({ tag, value: der.subarray(start, start + length) })
    offset = start + length
  }
  return list
}

const inside = (element: Element | undefined): readonly Element[] =>
  elements(element?.value ?? Buffer.alloc(0))
const hex = (element: Element | undefined): string => element?.value.toString('hex') ?? ''

/** Parses the extensions of a certificate; null if it is unreadable. */
export function extensionsOf({ raw }: X509Certificate): CertificateExtensions | null {
  try {
    const [body, signature] = inside(elements(raw)[0])
    const list = inside(inside(body).find(({ tag }) => tag === tags.extensions))[0]
    const extensions = inside(list).map((extension) => {
      const [id, ...rest] = inside(extension)
      return { id: hex(id), critical: rest.some(({ tag }) => tag === tags.boolean), value: rest.at(-1) }
    })
    const constraints = inside(inside(extensions.find(({ id }) => id === basicConstraints)?.value)[0])
    const limit = constraints.find(({ tag }) => tag === tags.integer)?.value
    return {
      signature: hex(inside(signature)[0]),
      critical: extensions.filter(({ critical }) => critical).map(({ id }) => id),
      all: extensions.map(({ id }) => id),
      pathLength: limit === undefined ? null : limit.readUIntBE(0, limit.length),
    }
  } catch {
    return null
  }
}
