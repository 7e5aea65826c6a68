import type { AccountId, AccountsView } from '#shared/bridge/account'
import type { Subscribe } from '#shared/emitter'
import type { Ssh } from './index'

export interface FollowedMachines {
  readonly accounts: { readonly onChange: Subscribe<AccountsView> }
  machine(account: AccountId, id: string): unknown
  /** Machines of any kind have changed. */
  readonly onMachines: Subscribe<unknown>
  readonly onGone: Subscribe<{
    readonly account: AccountId
    readonly machines: readonly { readonly id: string }[]
  }>
  readonly ssh: Pick<Ssh, 'onReachChange'>
}

/** What a module does for the machines that it keeps connections to. */
interface Follower<Kept> {
  kept(): Iterable<Kept>
  /** A machine may be reached, needed or ready now, or not any more. */
  settle(): void
  /** How it is reached has changed. */
  retry(kept: Kept): void
  /** Machines are gone, or the person has left their account. */
  forget(account: AccountId, gone: (machine: string) => boolean): void
}

/** Accounts that the person has left. One whose token has expired is none: connections do not depend on it. */
export const leftAccounts = ({ accounts }: AccountsView): readonly AccountId[] =>
  accounts.filter(({ state, failure }) => state === 'signed-out' && failure === null).map(({ id }) => id)

/** Follows machines and accounts for a module that keeps connections. Returns a disposer. */
export function followMachines<Kept extends { readonly account: AccountId; readonly machine: string }>(
  deps: FollowedMachines,
  { kept, settle, retry, forget }: Follower<Kept>,
): () => void {
  const ends = [
    deps.onMachines(() => {
      for (const { account, machine } of kept())
        if (deps.machine(account, machine) === undefined) forget(account, (id) => id === machine)
      settle()
    }),
    deps.onGone(({ account, machines }) =>
      forget(account, (machine) => machines.some(({ id }) => id === machine)),
    ),
    deps.ssh.onReachChange(({ account, machine }) => {
      for (const one of kept())
        if (one.account === account && (machine ?? one.machine) === one.machine) retry(one)
    }),
    deps.accounts.onChange((view) => {
      for (const id of leftAccounts(view)) forget(id, () => true)
    }),
  ]
  return () => ends.forEach((end) => end())
}
