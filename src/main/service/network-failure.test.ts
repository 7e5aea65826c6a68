import { describe, expect, it } from 'vitest'
import { type FailedRequest, networkErrorCode, networkFailure } from './network-failure'

const request: FailedRequest = { host: 'api.example.com', loopback: false, online: true, seconds: 12 }
const host = request.host

/** An error of Electron's fetch. */
const chromium = (code: string): Error => new Error(`net::${code}`)
/** An error of Node's fetch. */
const node = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })

describe('a request without an answer', () => {
  it.each([
    [chromium('ERR_CONNECTION_REFUSED'), 'ERR_CONNECTION_REFUSED'],
    [chromium('ERR_NAME_NOT_RESOLVED'), 'ERR_NAME_NOT_RESOLVED'],
    [chromium('ERR_CONNECTION_RESET'), 'ERR_CONNECTION_RESET'],
    [chromium('ERR_PROXY_CONNECTION_FAILED'), 'ERR_PROXY_CONNECTION_FAILED'],
    [chromium('ERR_SSL_PROTOCOL_ERROR'), 'ERR_SSL_PROTOCOL_ERROR'],
    [node('ECONNREFUSED'), 'ECONNREFUSED'],
    [node('ENOTFOUND'), 'ENOTFOUND'],
    [node('ECONNRESET'), 'ECONNRESET'],
    [node('UND_ERR_SOCKET'), 'UND_ERR_SOCKET'],
    [new TypeError('fetch failed'), 'unknown'],
    ['thrown text', 'unknown'],
  ])('means that there is no connection: %s', (error, reason) => {
    expect(networkFailure(error, request)).toEqual({ kind: 'cannot-connect', host, reason })
  })

  it.each([
    chromium('ERR_CERT_AUTHORITY_INVALID'),
    chromium('ERR_CERT_DATE_INVALID'),
    chromium('ERR_CERT_COMMON_NAME_INVALID'),
    node('DEPTH_ZERO_SELF_SIGNED_CERT'),
    node('SELF_SIGNED_CERT_IN_CHAIN'),
    node('CERT_HAS_EXPIRED'),
    node('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    node('ERR_TLS_CERT_ALTNAME_INVALID'),
  ])('means that the certificate is not trusted: %s', (error) => {
    expect(networkFailure(error, request)).toEqual({
      kind: 'untrusted-certificate',
      host,
      reason: networkErrorCode(error),
    })
  })

  it.each([chromium('ERR_INTERNET_DISCONNECTED'), node('ENETUNREACH'), node('EAI_AGAIN')])(
    'means that there is no network: %s',
    (error) => {
      expect(networkFailure(error, request)).toEqual({ kind: 'offline' })
    },
  )

  it('means that there is no network if the system reports none, except for this computer itself', () => {
    const refused = node('ECONNREFUSED')
    expect(networkFailure(refused, { ...request, online: false })).toEqual({ kind: 'offline' })
    expect(networkFailure(refused, { ...request, online: false, loopback: true }).kind).toBe('cannot-connect')
  })

  it.each([
    chromium('ERR_TIMED_OUT'),
    chromium('ERR_CONNECTION_TIMED_OUT'),
    node('UND_ERR_CONNECT_TIMEOUT'),
    node('ETIMEDOUT'),
  ])('means a timeout: %s', (error) => {
    expect(networkFailure(error, request)).toEqual({ kind: 'timed-out', host, seconds: 12 })
  })

  it.each([
    new Error('Redirect was cancelled'),
    new TypeError('fetch failed', { cause: new Error('unexpected redirect') }),
  ])('means a redirect: %s', (error) => {
    expect(networkFailure(error, request)).toMatchObject({
      kind: 'unexpected-answer',
      received: 'a redirect',
    })
  })

  it.each([
    node('HPE_INVALID_CONSTANT'),
    chromium('ERR_INVALID_HTTP_RESPONSE'),
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { name: 'HTTPParserError' }) }),
    node('Z_DATA_ERROR'),
    chromium('ERR_CONTENT_DECODING_FAILED'),
  ])('means that the answer was not HTTP: %s', (error) => {
    expect(networkFailure(error, request)).toMatchObject({
      kind: 'unexpected-answer',
      expected: 'an HTTP answer',
    })
  })

  it('uses the code of the first attempt if several addresses were tried', () => {
    const attempt = (code: string) => Object.assign(new Error('x'), { code })
    const cause = new AggregateError([attempt('ECONNREFUSED'), attempt('ENETUNREACH')])
    expect(networkErrorCode(new TypeError('fetch failed', { cause }))).toBe('ECONNREFUSED')
  })
})
