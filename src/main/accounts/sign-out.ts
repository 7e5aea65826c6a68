import type { AccountId, accountCalls } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import type { AccountList } from './account-list'
import type { SandboxHost } from './sandbox-host'

export interface SignOutDeps {
  readonly accounts: AccountList
  readonly sandbox: SandboxHost
  readonly inTurn: <Value>(task: () => Promise<Value>) => Promise<Value>
  onForget(account: AccountId): void | Promise<void>
}

type LeavingCalls = Pick<typeof accountCalls, 'accounts.signOut' | 'accounts.forget'>

/** The ways out: sign out, which drops every secret, and forget, which drops everything. */
export const signOutHandlers = ({
  accounts,
  sandbox,
  inTurn,
  onForget,
}: SignOutDeps): HandlersOf<LeavingCalls> => {
  /** Signed out at once, whatever keychain and disk say to the rest. Fails with local-fault. */
  const leave = (id: AccountId): Promise<void> => {
    const saved = accounts.save({ ...accounts.profile(id), staySignedIn: false })
    accounts.session(id).signOut()
    return saved
  }

  /** Where the keychain does not let go of the secret now, the view says so, and it is tried again. */
  const dropOrTell = async (id: AccountId): Promise<void> => {
    try {
      await accounts.drop(id)
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      accounts.session(id).signOut(error.failure)
    }
  }

  return {
    'accounts.signOut': ({ account }) =>
      inTurn(async () => {
        // The sandbox's secret is what its world is made from: it goes when the account is forgotten.
        const { sandbox: isSandbox } = accounts.profile(account)
        await Promise.all([leave(account), isSandbox ? undefined : dropOrTell(account)])
        return accounts.viewOf(account)
      }),
    'accounts.forget': ({ account }) =>
      inTurn(async () => {
        const { sandbox: isSandbox } = accounts.profile(account)
        await Promise.all([leave(account), accounts.drop(account)])
        await onForget(account)
        if (isSandbox) sandbox.stopped()
        await accounts.remove(account)
      }),
  }
}
