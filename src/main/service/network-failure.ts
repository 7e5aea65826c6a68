import type { Failure } from '#shared/failure'

/** What is known about a request that got no answer. */
export interface FailedRequest {
  /** Host with its port. */
  readonly host: string
  readonly loopback: boolean
  /** Whether the system says that it has a network. */
  readonly online: boolean
  /** How long it took until it failed. */
  readonly seconds: number
}

const noNetwork = new Set([
  'ERR_INTERNET_DISCONNECTED',
  'ERR_NETWORK_ACCESS_DENIED',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
])

const tooLate = new Set([
  'ERR_TIMED_OUT',
  'ERR_CONNECTION_TIMED_OUT',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** Certificate verdicts of OpenSSL (Node) that do not begin with CERT_; Chromium's all begin with ERR_CERT_. */
const certificate = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN',
])

const isCertificate = (code: string): boolean => /^(ERR_)?CERT_/.test(code) || certificate.has(code)

/**
 * The answer was no HTTP (Node's parser says HPE_…, since Node 24 not always, Chromium ERR_INVALID_HTTP_RESPONSE and its
 * like), or cannot be unpacked (zlib says Z_…).
 */
const isNoHttp = (code: string): boolean =>
  /^(HPE_|Z_|ERR_INVALID_HTTP|ERR_RESPONSE_HEADERS|ERR_CONTENT_DECODING)/.test(code)

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A thrown thing, what caused it, and (where several addresses were tried) each attempt, outermost first. */
const chain = (error: unknown, depth = 0): readonly unknown[] => {
  if (error === undefined || error === null || depth > 5) return []
  const attempts = property(error, 'errors')
  return [
    error,
    ...chain(property(error, 'cause'), depth + 1),
    ...(Array.isArray(attempts) ? attempts.flatMap((attempt) => chain(attempt, depth + 1)) : []),
  ]
}

/**
 * The system's name for what went wrong: `ERR_…` out of Chromium's `net::ERR_…`, or the code that Node put on the
 * error or on one of its causes. Undefined where there is none.
 */
export const networkErrorCode = (error: unknown): string | undefined => {
  for (const link of chain(error)) {
    const message = property(link, 'message')
    const chromium = typeof message === 'string' ? /\bnet::(ERR_[A-Z0-9_]+)/.exec(message)?.[1] : undefined
    if (chromium !== undefined) return chromium
    const code = property(link, 'code')
    if (typeof code === 'string' && code !== '') return code
    if (property(link, 'name') === 'HTTPParserError') return 'HPE_INVALID'
  }
  return undefined
}

/** Electron rejects a redirect that is not to be followed, Node hands it over as an answer. */
const isRedirect = (error: unknown): boolean =>
  chain(error).some((link) => {
    const message = property(link, 'message')
    return typeof message === 'string' && /redirect/i.test(message)
  })

/**
 * Why a request got no answer, the same for Electron's fetch and Node's: offline, cannot-connect, timed-out,
 * untrusted-certificate, cancelled or unexpected-answer. Pure; the error's own words are never repeated, as they may
 * hold the URL.
 */
export const networkFailure = (error: unknown, request: FailedRequest): Failure => {
  const { host, seconds } = request
  const code = networkErrorCode(error)
  if (isRedirect(error)) {
    return { kind: 'unexpected-answer', expected: 'an answer of the service', received: 'a redirect' }
  }
  if (code === 'ERR_ABORTED') return { kind: 'cancelled' }
  if (code !== undefined && isCertificate(code)) return { kind: 'untrusted-certificate', host, reason: code }
  if (code !== undefined && isNoHttp(code)) {
    return { kind: 'unexpected-answer', expected: 'an HTTP answer', received: code }
  }
  if (!request.loopback && (!request.online || (code !== undefined && noNetwork.has(code)))) {
    return { kind: 'offline' }
  }
  if (code !== undefined && tooLate.has(code)) return { kind: 'timed-out', host, seconds }
  return { kind: 'cannot-connect', host, reason: code ?? 'unknown' }
}
