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

interface Follower<Machine> {
  /** Machines for which the module stores something. */
  machines(): Iterable<Machine>
  /** A machine may have become reachable, needed or ready, or may no longer be. */
  settle(): void
  /** Machines are gone, or the user has signed out of their account. */
  forget(account: AccountId, gone: (machine: string) => boolean): void
}

/** Returns accounts that the user has signed out of. An expired token doesn't count: connections don't need it. */
export const leftAccounts = ({ accounts }: AccountsView): readonly AccountId[] =>
  accounts.filter(({ state, failure }) => state === 'signed-out' && failure === null).map(({ id }) => id)

/** Follows machines and accounts for a module that stores something for machines. Returns a disposer. */
export function followMachines<Machine extends { readonly account: AccountId; readonly machine: string }>(
  deps: FollowedMachines,
  { machines, settle, forget }: Follower<Machine>,
): () => void {
  const ends = [
    deps.onMachines(() => {
      for (const { account, machine } of machines())
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
