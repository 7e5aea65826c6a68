import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { AccountId } from '#shared/bridge/account'
import { translate } from '#shared/messages/index'
import { hashName, isHashOf } from '../store/name-hash'

/** What is kept on disk about an account. Nothing in it is secret. */
const KeptProfile = z.object({
  id: AccountId,
  /** What the person calls it; null until they choose, and while the store is not open. */
  label: z.string().nullable().default(null),
  baseUrl: z.url(),
  credential: z.enum(['password', 'api-token']),
  /** Null: none, or not known while the store is not open. */
  username: z.string().nullable().default(null),
  /** Hash that recognizes the user name while the store is closed (name-hash.ts); absent: there is none. */
  usernameHash: z.string().optional(),
  /** Hash that recognizes the account's API token, also while it is signed out; absent: there is none. */
  tokenHash: z.string().optional(),
  /** Base URL that identified itself as the service, or that the user confirmed; null: none yet. */
  identifiedUrl: z.string().nullable().default(null),
  sandbox: z.boolean(),
  /** Whether the person wants the next start to sign in automatically. */
  staySignedIn: z.boolean(),
  /** Whether the keychain holds the account's secret. */
  inKeychain: z.boolean(),
})
export type Profile = z.infer<typeof KeptProfile>

const hashFits = ({ usernameHash }: Profile, username: string): boolean =>
  usernameHash !== undefined && isHashOf(usernameHash, username)

const withUsernameHash = (profile: Profile): Profile =>
  profile.username === null || hashFits(profile, profile.username)
    ? profile
    : { ...profile, usernameHash: hashName(profile.username) }

/** Whether this is the user who signs in to the account, also where only the hash is known. Pure. */
export const isUser = (profile: Profile, username: string): boolean =>
  profile.username === null ? hashFits(profile, username) : profile.username === username

/** Whether this is the API token that the account was last signed in with. Pure. */
export const isTokenOf = ({ tokenHash }: Profile, token: string): boolean =>
  tokenHash !== undefined && isHashOf(tokenHash, token)

/** Whether a user of the account is known at all. Pure. */
export const hasUser = ({ username, usernameHash }: Profile): boolean =>
  username !== null || usernameHash !== undefined

const Profile = KeptProfile.transform(withUsernameHash)

/** What of a profile is private: in the encrypted store (`accounts.private`), the rest in the settings. */
export const privateProfileFields = ['label', 'username']

/** The section `accounts`. */
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

export function withProfile(profiles: Profiles, changed: Profile): Profiles {
  const profile = withUsernameHash(changed)
  const accounts = profiles.accounts.some(({ id }) => id === profile.id)
    ? profiles.accounts.map((known) => (known.id === profile.id ? profile : known))
    : [...profiles.accounts, profile]
  return { ...profiles, accounts }
}

/** Without the account; where it was the selected one, the first of the others is. */
export const withoutProfile = (profiles: Profiles, id: AccountId): Profiles => {
  const accounts = profiles.accounts.filter((profile) => profile.id !== id)
  return { accounts, selected: profiles.selected === id ? (accounts[0]?.id ?? null) : profiles.selected }
}
