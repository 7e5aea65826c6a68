import { describe, expect, it } from 'vitest'
import { passwordDigest, wireCredentialOf } from './wire-credential'

describe('a wire credential', () => {
  it('contains the MD5 hex digest of the password', () => {
    // RFC 1321, appendix A.5.
    expect(passwordDigest('abc')).toBe('900150983cd24fb0d6963f7d28e17f72')
    expect(passwordDigest('pässwörd')).toMatch(/^[0-9a-f]{32}$/)
    const wireCredential = wireCredentialOf({ kind: 'password', username: 'anna', password: 'abc' })
    expect(wireCredential).toEqual({
      kind: 'password',
      username: 'anna',
      digest: '900150983cd24fb0d6963f7d28e17f72',
    })
  })

  it.each(['  whs_123\n', 'Bearer whs_123', 'bearer  whs_123'])(
    'contains only the API token: %j',
    (token) => {
      expect(wireCredentialOf({ kind: 'api-token', token })).toEqual({ kind: 'api-token', token: 'whs_123' })
    },
  )

  it.each(['   ', 'two words', 'line\nbreak', 'tökén', 'nul\u0000'])(
    'is refused if an HTTP header could not contain it: %j',
    (token) => {
      expect(() => wireCredentialOf({ kind: 'api-token', token })).toThrow(
        expect.objectContaining({
          failure: { kind: 'invalid-input', field: 'token', reason: 'not-an-api-token' },
        }),
      )
    },
  )
})
