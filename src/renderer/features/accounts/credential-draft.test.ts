import { describe, expect, it } from 'vitest'
import { credentialOf, emptyDraft, fieldOf, missingFields } from './credential-draft'

describe('the draft of a sign-in', () => {
  it('returns the missing fields of its method only', () => {
    expect(missingFields(emptyDraft({ username: ' ' }))).toEqual(['username', 'password'])
    expect(missingFields(emptyDraft({ username: 'anna', password: ' ' }))).toEqual([])
    expect(missingFields(emptyDraft({ method: 'api-token', username: 'anna' }))).toEqual(['token'])
  })

  it('trims a user name and a token, but not a password', () => {
    expect(credentialOf(emptyDraft({ username: ' anna ', password: ' p w ' }))).toEqual({
      kind: 'password',
      username: 'anna',
      password: ' p w ',
    })
    expect(credentialOf(emptyDraft({ method: 'api-token', token: ' t0ken\n' }))).toEqual({
      kind: 'api-token',
      token: 't0ken',
    })
  })

  it('returns the field that a refusal names', () => {
    expect(fieldOf({ kind: 'invalid-input', field: 'baseUrl', reason: 'not-a-url' })).toBe('baseUrl')
    expect(fieldOf({ kind: 'refused-by-service', message: 'no', status: 400, field: 'username' })).toBe(
      'username',
    )
    expect(fieldOf({ kind: 'refused-by-service', message: 'no', status: 400 })).toBeNull()
    expect(fieldOf({ kind: 'offline' })).toBeNull()
    expect(fieldOf(null)).toBeNull()
  })
})
