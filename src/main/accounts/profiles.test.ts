import { describe, expect, it } from 'vitest'
import { AccountId } from '#shared/bridge/account'
import { newAccountId, type Profile, usualLabel, withoutProfile, withProfile } from './profiles'

const profile = (id: string, more: Partial<Profile> = {}): Profile => ({
  id,
  label: null,
  baseUrl: 'https://api.example.com:8443/v1',
  credential: 'password',
  username: 'anna',
  sandbox: false,
  staySignedIn: true,
  inKeychain: true,
  ...more,
})

describe('profiles', () => {
  it('are called by who signs in where, until the person chooses', () => {
    expect(usualLabel(profile('a'))).toBe('anna @ api.example.com:8443')
    expect(usualLabel(profile('a', { username: null }))).toBe('api.example.com:8443')
    expect(usualLabel(profile('a', { sandbox: true }))).toBe('Sandbox')
  })

  it('keep their place when they change', () => {
    const two = { accounts: [profile('a'), profile('b')], selected: 'b' }
    expect(withProfile(two, profile('a', { label: 'A' })).accounts.map(({ label }) => label)).toEqual([
      'A',
      null,
    ])
    expect(withProfile(two, profile('c')).accounts.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('hand the selection on when the selected one goes', () => {
    const two = { accounts: [profile('a'), profile('b')], selected: 'b' }
    expect(withoutProfile(two, 'b').selected).toBe('a')
    expect(withoutProfile(two, 'a').selected).toBe('b')
    expect(withoutProfile(withoutProfile(two, 'a'), 'b')).toEqual({ accounts: [], selected: null })
  })

  it('get a name that the contract knows', () => {
    expect(AccountId.safeParse(newAccountId()).success).toBe(true)
    expect(newAccountId()).not.toBe(newAccountId())
  })
})
