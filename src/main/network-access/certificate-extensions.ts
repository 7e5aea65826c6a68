import type { X509Certificate } from 'node:crypto'

/** What RFC 5280 has a verifier look at, and Node's X509Certificate does not say. */
export interface CertificateExtensions {
  /** Object identifier in hex of how the certificate is signed. */
  readonly signature: string
  /** Object identifiers in hex. */
  readonly critical: readonly string[]
  readonly all: readonly string[]
  /** How many authorities may stand between this one and the server's certificate; null: any number. */
  readonly pathLength: number | null
}

interface Element {
  readonly tag: number
  readonly value: Buffer
}

const tags = { boolean: 1, integer: 2, extensions: 0xa3 } as const
const basicConstraints = '551d13'

/** The elements of a DER sequence. Throws RangeError where it is cut. */
function elements(der: Buffer): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < der.length;) {
    const tag = der.readUInt8(at)
    const first = der.readUInt8(at + 1)
    const bytes = first < 0x80 ? 0 : first - 0x80
    const length = bytes === 0 ? first : der.readUIntBE(at + 2, bytes)
    const start = at + 2 + bytes
    if (start + length > der.length) throw new RangeError('cut')
    found.push({ tag, value: der.subarray(start, start + length) })
    at = start + length
  }
  return found
}

const inside = (element: Element | undefined): readonly Element[] =>
  elements(element?.value ?? Buffer.alloc(0))
const hex = (element: Element | undefined): string => element?.value.toString('hex') ?? ''

/** What the extensions of a certificate say; null where it cannot be read. */
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
