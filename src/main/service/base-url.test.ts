import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { baseUrlCandidates } from './base-url'

const refusal = (typed: string, loopbackOnly = false): unknown => {
  try {
    return baseUrlCandidates(typed, loopbackOnly)
  } catch (error) {
    return error instanceof FailureError ? error.failure : error
  }
}

const invalid = (reason: string) => ({ kind: 'invalid-input', field: 'baseUrl', reason })

describe('the base URL that a user types', () => {
  it.each([
    ['https://api.example.com/api/v1', ['https://api.example.com/api/v1']],
    ['https://api.example.com/api/v1/', ['https://api.example.com/api/v1']],
    ['  https://api.example.com/cloud//  ', ['https://api.example.com/cloud']],
    ['https://api.example.com', ['https://api.example.com', 'https://api.example.com/api/v1']],
    ['HTTPS://API.Example.com:443/', ['https://api.example.com', 'https://api.example.com/api/v1']],
    ['api.example.com', ['https://api.example.com', 'https://api.example.com/api/v1']],
    ['api.example.com:8443/v2', ['https://api.example.com:8443/v2']],
    ['http://127.0.0.1:4010/api/v1', ['http://127.0.0.1:4010/api/v1']],
    ['http://[::1]:4010/x', ['http://[::1]:4010/x']],
    ['localhost:4010/x', ['http://localhost:4010/x']],
    ['127.1:4010/x', ['http://127.0.0.1:4010/x']],
    ['https://localhost/x', ['https://localhost/x']],
  ])('%s is tried as %j', (typed, candidates) => {
    expect(baseUrlCandidates(typed, false)).toEqual(candidates)
  })

  it.each([
    ['', 'required'],
    ['   ', 'required'],
    ['https://', 'not-a-url'],
    ['ftp://example.com', 'not-a-url'],
    ['https://exa mple.com', 'not-a-url'],
    ['https://anna:secret@example.com', 'not-a-url'],
    ['anna@example.com', 'not-a-url'],
    ['https://example.com/api?key=1', 'not-a-url'],
    ['https://example.com/api#top', 'not-a-url'],
    ['http://example.com', 'insecure-url'],
    ['http://127.0.0.1.example.com', 'insecure-url'],
    ['http://localhost.example.com', 'insecure-url'],
    ['http://10.0.0.1', 'insecure-url'],
  ])('%j is refused as %s', (typed, reason) => {
    expect(refusal(typed)).toEqual(invalid(reason))
  })

  it('must be on this computer if only loopback is allowed', () => {
    for (const typed of ['https://api.example.com', 'not a url', 'ftp://example.com'])
      expect(refusal(typed, true)).toEqual(invalid('loopback-only'))
    expect(baseUrlCandidates('http://127.0.0.1:1/x', true)).toEqual(['http://127.0.0.1:1/x'])
    expect(baseUrlCandidates('https://localhost:1/x', true)).toEqual(['https://localhost:1/x'])
  })
})
