import { describe, expect, it } from 'vitest'
import { credentialOf, emptyDraft, fieldOf, missingFields } from './credential-draft'

describe('a sign-in that is being typed', () => {
  it('says what is still missing for its method alone', () => {
    expect(missingFields(emptyDraft({ username: ' ' }))).toEqual(['username', 'password'])
    expect(missingFields(emptyDraft({ username: 'anna', password: ' ' }))).toEqual([])
    expect(missingFields(emptyDraft({ method: 'api-token', username: 'anna' }))).toEqual(['token'])
  })

  it('drops the spaces around a name or a token, and keeps those of a password', () => {
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

  it('shows a refusal beside the field it names', () => {
    expect(fieldOf({ kind: 'invalid-input', field: 'baseUrl', reason: 'not-a-url' })).toBe('baseUrl')
    expect(fieldOf({ kind: 'refused-by-service', message: 'no', status: 400, field: 'username' })).toBe(
      'username',
    )
    expect(fieldOf({ kind: 'refused-by-service', message: 'no', status: 400 })).toBeNull()
    expect(fieldOf({ kind: 'offline' })).toBeNull()
    expect(fieldOf(null)).toBeNull()
  })
})
