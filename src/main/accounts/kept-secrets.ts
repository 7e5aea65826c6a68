import type { AccountId } from '#shared/bridge/account'
import { resourceKey } from '#shared/resource-key'
import type { WireCredential } from '../service/login'
import type { Keychain } from '../store/keychain'
import type { Profile } from './profiles'

/** The keychain entries of an account: one per secret. */
const entryOf = (account: AccountId, kind: WireCredential['kind']): string =>
  resourceKey(account, kind === 'password' ? 'password-digest' : 'api-token')

/** What accounts keep in the keychain. Every call fails with keychain-unavailable. */
export const keptSecrets = (keychain: Keychain) => ({
  read: async ({ id, credential, username }: Profile): Promise<WireCredential | undefined> => {
    const secret = await keychain.read(entryOf(id, credential))
    if (secret === undefined) return undefined
    if (credential === 'api-token') return { kind: 'api-token', token: secret }
    return username === null ? undefined : { kind: 'password', username, digest: secret }
  },
  /** Keeps this secret of the account and no other. */
  keep: async (account: AccountId, proof: WireCredential): Promise<void> => {
    const [secret, other] =
      proof.kind === 'password' ? [proof.digest, 'api-token' as const] : [proof.token, 'password' as const]
    await keychain.write(entryOf(account, proof.kind), secret)
    await keychain.remove(entryOf(account, other))
  },
  remove: async (account: AccountId): Promise<void> => {
    await keychain.remove(entryOf(account, 'password'))
    await keychain.remove(entryOf(account, 'api-token'))
  },
})
export type KeptSecrets = ReturnType<typeof keptSecrets>
