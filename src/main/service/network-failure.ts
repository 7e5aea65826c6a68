import type { Failure } from '#shared/failure'

export interface FailedRequest {
  readonly host: string
  readonly loopback: boolean
  readonly online: boolean
  readonly seconds: number
}

const offlineCodes = new Set([
  'ERR_INTERNET_DISCONNECTED',
  'ERR_NETWORK_ACCESS_DENIED',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
])

const timeoutCodes = new Set([
  'ERR_TIMED_OUT',
  'ERR_CONNECTION_TIMED_OUT',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** OpenSSL certificate errors (Node) without the prefix CERT_. Chromium's begin with ERR_CERT_. */
const certificateCodes = new Set([
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

const isCertificate = (code: string): boolean => /^(ERR_)?CERT_/.test(code) || certificateCodes.has(code)

/**
 * Whether the answer was not HTTP (Node: HPE_…, not always since Node 24; Chromium: ERR_INVALID_HTTP_RESPONSE and
 * similar) or could not be decompressed (zlib: Z_…).
 */
const isNoHttp = (code: string): boolean =>
  /^(HPE_|Z_|ERR_INVALID_HTTP|ERR_RESPONSE_HEADERS|ERR_CONTENT_DECODING)/.test(code)

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const chain = (error: unknown, depth = 0): readonly unknown[] => {
  if (error === undefined || error === null || depth > 5) return []
  const attempts = property(error, 'errors')
  return [
    error,
    ...chain(property(error, 'cause'), depth + 1),
    ...(Array.isArray(attempts) ? attempts.flatMap((attempt) => chain(attempt, depth + 1)) : []),
  ]
}

/** Returns the error code: `ERR_…` of Chromium's `net::ERR_…`, or the code of a Node error or its cause. */
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

/** Electron rejects a redirect that must not be followed; Node returns it as an answer. */
const isRedirect = (error: unknown): boolean =>
  chain(error).some((link) => {
    const message = property(link, 'message')
    return typeof message === 'string' && /redirect/i.test(message)
  })

/**
 * Maps an error of Electron's or Node's fetch to offline, cannot-connect, timed-out, untrusted-certificate, cancelled
 * or unexpected-answer. Never includes the error's message, which may hold the URL. Pure.
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
  if (!request.loopback && (!request.online || (code !== undefined && offlineCodes.has(code)))) {
    return { kind: 'offline' }
  }
  if (code !== undefined && timeoutCodes.has(code)) return { kind: 'timed-out', host, seconds }
  return { kind: 'cannot-connect', host, reason: code ?? 'unknown' }
}
