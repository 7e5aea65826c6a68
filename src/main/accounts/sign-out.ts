import type { AccountId, AccountView } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import type { Mutex } from '../core/mutex'
import type { AccountList } from './account-list'
import type { SandboxHost } from './sandbox-host'

export interface SignOutDeps {
  readonly accounts: AccountList
  readonly sandbox: SandboxHost
  readonly mutex: Mutex
  /** Removes the data that is kept about an account. */
  beforeForget(account: AccountId): Promise<void>
}

/** The ways out: sign out, which drops every secret, and forget, which drops everything. */
export const signOutCalls = ({ accounts, sandbox, mutex, beforeForget }: SignOutDeps) => {
  /** Signed out at once, whatever keychain and disk say to the rest. Fails with local-fault. */
  const endSession = (id: AccountId): Promise<void> => {
    const saved = accounts.save({ ...accounts.profile(id), staySignedIn: false })
    accounts.session(id).signOut()
    return saved
  }

  /** Where the keychain does not let go of the secret now, the view says so, and it is tried again. */
  const dropOrShow = async (id: AccountId): Promise<void> => {
    try {
      await accounts.drop(id)
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      accounts.session(id).signOut(error.failure)
    }
  }

  return {
    signOut: (account: AccountId): Promise<AccountView> =>
      mutex(async () => {
        // The sandbox's secret is what its world is made from: it goes when the account is forgotten.
        const { sandbox: isSandbox } = accounts.profile(account)
        await Promise.all([endSession(account), isSandbox ? undefined : dropOrShow(account)])
        return accounts.viewOf(account)
      }),
    forget: (account: AccountId): Promise<void> =>
      mutex(async () => {
        const { sandbox: isSandbox } = accounts.profile(account)
        await Promise.all([endSession(account), accounts.drop(account)])
        await beforeForget(account)
        if (isSandbox) sandbox.stopped()
        await accounts.remove(account)
      }),
  }
}
