import type { AccountId, AccountsView } from '#shared/bridge/account'
import type { Subscribe } from '#shared/emitter'

export interface FollowedMachines {
  readonly accounts: { readonly onChange: Subscribe<AccountsView> }
  machine(account: AccountId, id: string): unknown
  /** Machines of any kind have changed. */
  readonly onMachines: Subscribe<unknown>
  readonly onGone: Subscribe<{
    readonly account: AccountId
    readonly machines: readonly { readonly id: string }[]
  }>
}

interface Follower<Kept> {
  /** Machines that the module keeps something for. */
  kept(): Iterable<Kept>
  /** A machine may be reached, needed or ready now, or not any more. */
  settle(): void
  /** Machines are gone, or the user has signed out of their account. */
  forget(account: AccountId, gone: (machine: string) => boolean): void
}

/** Accounts that the user has signed out of. An expired token is no such case: connections do not depend on it. */
export const leftAccounts = ({ accounts }: AccountsView): readonly AccountId[] =>
  accounts.filter(({ state, failure }) => state === 'signed-out' && failure === null).map(({ id }) => id)

/** Follows machines and accounts for a module that keeps something for machines. Returns a disposer. */
export function followMachines<Kept extends { readonly account: AccountId; readonly machine: string }>(
  deps: FollowedMachines,
  { kept, settle, forget }: Follower<Kept>,
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
    deps.accounts.onChange((view) => {
      for (const id of leftAccounts(view)) forget(id, () => true)
    }),
  ]
  return () => ends.forEach((end) => end())
}
