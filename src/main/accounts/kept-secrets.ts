import type { AccountId } from '#shared/bridge/account'
import { resourceKey } from '#shared/resource-key'
import type { WireCredential } from '../service/login'
import type { Keychain } from '../store/keychain'
import type { Profile } from './profiles'

const entriesOf = (account: AccountId) => ({
  password: resourceKey(account, 'password-digest'),
  /** User of the password: the settings lack it, and the store may be closed. */
  username: resourceKey(account, 'username'),
  'api-token': resourceKey(account, 'api-token'),
})

/** Stores the secrets of accounts in the keychain. Every call fails with keychain-unavailable. */
export const keptSecrets = (keychain: Keychain) => ({
  read: async ({ id, credential, username: known }: Profile): Promise<WireCredential | undefined> => {
    const secret = await keychain.read(entriesOf(id)[credential])
    if (secret === undefined) return undefined
    if (credential === 'api-token') return { kind: 'api-token', token: secret }
    const username = (await keychain.read(entriesOf(id).username)) ?? known
    return username === null ? undefined : { kind: 'password', username, digest: secret }
  },
  /** Stores this secret and removes the account's other secrets. */
  keep: async (account: AccountId, wireCredential: WireCredential): Promise<void> => {
    const entries = entriesOf(account)
    if (wireCredential.kind === 'password') {
      await keychain.write(entries.username, wireCredential.username)
      await keychain.write(entries.password, wireCredential.digest)
      await keychain.remove(entries['api-token'])
    } else {
      await keychain.write(entries['api-token'], wireCredential.token)
      await keychain.remove(entries.password)
      await keychain.remove(entries.username)
    }
  },
  remove: async (account: AccountId): Promise<void> => {
    for (const entry of Object.values(entriesOf(account))) await keychain.remove(entry)
  },
})
export type KeptSecrets = ReturnType<typeof keptSecrets>
