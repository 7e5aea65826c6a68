import { describe, expect, it } from 'vitest'
import { AccountId } from '#shared/bridge/account'
import {
  hasUser,
  isUser,
  newAccountId,
  type Profile,
  Profiles,
  usualLabel,
  withoutProfile,
  withProfile,
} from './profiles'

const profile = (id: string, more: Partial<Profile> = {}): Profile => ({
  id,
  label: null,
  baseUrl: 'https://api.example.com:8443/v1',
  credential: 'password',
  username: 'anna',
  identifiedUrl: null,
  sandbox: false,
  staySignedIn: true,
  inKeychain: true,
  ...more,
})

describe('profiles', () => {
  it('have the user and host as default label', () => {
    expect(usualLabel(profile('a'))).toBe('anna @ api.example.com:8443')
    expect(usualLabel(profile('a', { username: null }))).toBe('api.example.com:8443')
    expect(usualLabel(profile('a', { sandbox: true }))).toBe('Sandbox')
  })

  it('keep their position when they change', () => {
    const two = { accounts: [profile('a'), profile('b')], selected: 'b' }
    expect(withProfile(two, profile('a', { label: 'A' })).accounts.map(({ label }) => label)).toEqual([
      'A',
      null,
    ])
    expect(withProfile(two, profile('c')).accounts.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('select the first remaining account when the selected one is removed', () => {
    const two = { accounts: [profile('a'), profile('b')], selected: 'b' }
    expect(withoutProfile(two, 'b').selected).toBe('a')
    expect(withoutProfile(two, 'a').selected).toBe('b')
    expect(withoutProfile(withoutProfile(two, 'a'), 'b')).toEqual({ accounts: [], selected: null })
  })

  it('recognize their user by a hash if the name is missing', () => {
    const [kept] = Profiles.parse({ accounts: [profile('abcdefghij12')] }).accounts
    const { username: _, ...closed } = kept ?? profile('x')
    const read = Profiles.parse(JSON.parse(JSON.stringify({ accounts: [closed] }))).accounts
    expect(JSON.stringify(read)).not.toContain('anna')
    for (const one of [...read, profile('abcdefghij12')]) {
      expect(isUser(one, 'anna')).toBe(true)
      expect(isUser(one, 'Anna')).toBe(false)
      expect(hasUser(one)).toBe(true)
    }
    expect(hasUser(profile('a', { username: null }))).toBe(false)
    const renamed = withProfile(
      { accounts: read, selected: null },
      { ...profile('abcdefghij12'), username: 'ben' },
    )
    expect(isUser({ ...profile('a'), ...renamed.accounts[0], username: null }, 'ben')).toBe(true)
  })

  it('have an id that fits the contract', () => {
    expect(AccountId.safeParse(newAccountId()).success).toBe(true)
    expect(newAccountId()).not.toBe(newAccountId())
  })
})
