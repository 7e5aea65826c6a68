import type { AccountId, AccountView } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import type { Mutex } from '../core/mutex'
import type { AccountList } from './account-list'
import type { SandboxHost } from './sandbox-host'

export interface SignOutDeps {
  readonly accounts: AccountList
  readonly sandbox: SandboxHost
  readonly mutex: Mutex
  beforeForget(account: AccountId): Promise<void>
}

/** Creates the calls that sign out, which drops every secret, and forget, which drops everything. */
export const signOutCalls = ({ accounts, sandbox, mutex, beforeForget }: SignOutDeps) => {
  /** Signs out at once and resolves when that is on disk. Fails with local-fault. */
  const endSession = (id: AccountId): Promise<void> => {
    const saved = accounts.save({ ...accounts.profile(id), staySignedIn: false })
    accounts.session(id).signOut()
    return saved
  }

  /** Removes the secret. If the keychain refuses, the view shows that, and it is retried. */
  const removeSecret = async (id: AccountId): Promise<void> => {
    try {
      await accounts.removeSecret(id)
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      accounts.session(id).signOut(error.failure)
    }
  }

  return {
    signOut: (account: AccountId): Promise<AccountView> =>
      mutex(async () => {
        // The sandbox's world depends on its secret, which is removed when the account is forgotten.
        const { sandbox: isSandbox } = accounts.profile(account)
        await Promise.all([endSession(account), isSandbox ? undefined : removeSecret(account)])
        return accounts.viewOf(account)
      }),
    forget: (account: AccountId): Promise<void> =>
      mutex(async () => {
        const { sandbox: isSandbox } = accounts.profile(account)
        await Promise.all([endSession(account), accounts.removeSecret(account)])
        await beforeForget(account)
        if (isSandbox) sandbox.stopped()
        await accounts.remove(account)
      }),
  }
}
