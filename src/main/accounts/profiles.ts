import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { AccountId } from '#shared/bridge/account'
import { translate } from '#shared/messages/index'

/** What is kept on disk about an account. Nothing in it is secret. */
export const Profile = z.object({
  id: AccountId,
  /** What the person calls it; null until they choose. */
  label: z.string().nullable(),
  baseUrl: z.url(),
  credential: z.enum(['password', 'api-token']),
  username: z.string().nullable(),
  sandbox: z.boolean(),
  /** Whether the person wants the next start to sign in by itself. */
  staySignedIn: z.boolean(),
  /** Whether the keychain holds the account's secret. */
  inKeychain: z.boolean(),
})
export type Profile = z.infer<typeof Profile>

/** The settings section `accounts`. */
export const Profiles = z.object({
  accounts: z.array(Profile).default([]),
  selected: AccountId.nullable().default(null),
})
export type Profiles = z.infer<typeof Profiles>

/** What an account is called until the person chooses: its host, and who signs in. */
export const usualLabel = ({ baseUrl, username, sandbox }: Profile): string => {
  if (sandbox) return translate('accounts.switcher.sandboxBadge')
  const { host } = new URL(baseUrl)
  return username === null ? host : `${username} @ ${host}`
}

/** A name for a new account: 12 characters that say nothing about it. */
export const newAccountId = (): AccountId => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length: 12 }, () => letters.charAt(randomInt(letters.length))).join('')
}

export const withProfile = (profiles: Profiles, profile: Profile): Profiles => ({
  ...profiles,
  accounts: profiles.accounts.some(({ id }) => id === profile.id)
    ? profiles.accounts.map((known) => (known.id === profile.id ? profile : known))
    : [...profiles.accounts, profile],
})

/** Without the account; where it was the selected one, the first of the others is. */
export const withoutProfile = (profiles: Profiles, id: AccountId): Profiles => {
  const accounts = profiles.accounts.filter((profile) => profile.id !== id)
  return { accounts, selected: profiles.selected === id ? (accounts[0]?.id ?? null) : profiles.selected }
}
