import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { AccountId } from '#shared/bridge/account'
import { translate } from '#shared/messages/index'
import { hashName, isHashOf } from '../store/name-hash'

/** Stored facts about an account. None of them is secret. */
const KeptProfile = z.object({
  id: AccountId,
  /** Name that the user chose; null if there is none or the store is closed. */
  label: z.string().nullable().default(null),
  baseUrl: z.url(),
  credential: z.enum(['password', 'api-token']),
  /** Null if there is none or the store is closed. */
  username: z.string().nullable().default(null),
  /** Hash that identifies the user name while the store is closed (name-hash.ts). */
  usernameHash: z.string().optional(),
  /** Hash that identifies the account's last API token. */
  tokenHash: z.string().optional(),
  /** Base URL that identified itself as the service or that the user confirmed; null if there is none. */
  identifiedUrl: z.string().nullable().default(null),
  sandbox: z.boolean(),
  staySignedIn: z.boolean(),
  inKeychain: z.boolean(),
})
export type Profile = z.infer<typeof KeptProfile>

const hashFits = ({ usernameHash }: Profile, username: string): boolean =>
  usernameHash !== undefined && isHashOf(usernameHash, username)

const withUsernameHash = (profile: Profile): Profile =>
  profile.username === null || hashFits(profile, profile.username)
    ? profile
    : { ...profile, usernameHash: hashName(profile.username) }

/** Whether this user signs in to the account, even if only the hash is known. Pure. */
export const isUser = (profile: Profile, username: string): boolean =>
  profile.username === null ? hashFits(profile, username) : profile.username === username

/** Whether the account was last signed in with this API token. Pure. */
export const isTokenOf = ({ tokenHash }: Profile, token: string): boolean =>
  tokenHash !== undefined && isHashOf(tokenHash, token)

export const hasUser = ({ username, usernameHash }: Profile): boolean =>
  username !== null || usernameHash !== undefined

const Profile = KeptProfile.transform(withUsernameHash)

/** Private fields of a profile: stored encrypted (`accounts.private`), the rest in the settings. */
export const privateProfileFields = ['label', 'username']

export const Profiles = z.object({
  accounts: z.array(Profile).default([]),
  selected: AccountId.nullable().default(null),
})
export type Profiles = z.infer<typeof Profiles>

/** Returns the default label of an account: its user and host. */
export const usualLabel = ({ baseUrl, username, sandbox }: Profile): string => {
  if (sandbox) return translate('accounts.switcher.sandboxBadge')
  const { host } = new URL(baseUrl)
  return username === null ? host : `${username} @ ${host}`
}

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

/** Removes an account. If it was selected, the first remaining account is selected. */
export const withoutProfile = (profiles: Profiles, id: AccountId): Profiles => {
  const accounts = profiles.accounts.filter((profile) => profile.id !== id)
  return { accounts, selected: profiles.selected === id ? (accounts[0]?.id ?? null) : profiles.selected }
}
