import type { AccountId } from '#shared/bridge/account'
import { resourceKey } from '#shared/resource-key'
import type { ReportError } from '../core/report-error'
import { forgetGoneWhileClosed, type GoneWhileClosedDeps } from '../fleet/gone-while-closed'
import { type FollowedMachines, leftAccounts } from '../ssh/follow-machines'
import type { createSavedForwards, SavedForward } from './saved-forwards'

export interface RestoreDeps
  extends
    Pick<FollowedMachines, 'accounts' | 'machine' | 'onMachines' | 'onGone'>,
    Pick<GoneWhileClosedDeps, 'fleet' | 'details'> {
  readonly saved: ReturnType<typeof createSavedForwards>
  isOpen(forward: SavedForward): boolean
  /** Opens it after those that are being opened, unless `isWanted` answers no by then. */
  open(forward: SavedForward, isWanted: () => boolean): Promise<unknown>
  /** What was saved by an earlier run is known. */
  loaded(): void
  readonly report: ReportError
}

/**
 * Opens the saved forwards of the accounts that are signed in, each once its machine is known, and forgets those of
 * accounts that the person has left and of machines that are gone. Returns a disposer.
 */
export function restoreForwards(deps: RestoreDeps): () => void {
  const { saved, report } = deps
  let signedIn: ReadonlySet<AccountId> = new Set()
  /** Accounts that are, or were, to be signed in. */
  const returning = new Set<AccountId>()
  /** Saved forwards that are being opened, or could not be. */
  const tried = new Set<string>()
  let isOver = false

  const remove = (account: AccountId, isGone: (machine: string) => boolean): void =>
    void saved
      .remove(account, ({ machine }) => isGone(machine))
      .catch((error: unknown) => report('tunnel.save', error))

  function restore(): void {
    for (const one of saved.all()) {
      const { account, machine, port } = one
      const key = resourceKey(account, `${machine}:${String(port)}`)
      if (deps.isOpen(one) || tried.has(key) || !signedIn.has(account) || !deps.machine(account, machine))
        continue
      tried.add(key)
      // The person may have signed out since.
      deps
        .open(one, () => saved.isSaved(one))
        .then(
          () => tried.delete(key),
          (error: unknown) => {
            if (!isOver) report('tunnel.restore', error)
          },
        )
    }
  }

  const ends = [
    deps.accounts.onChange((view) => {
      const left = leftAccounts(view)
      for (const { id, state, staysSignedIn } of view.accounts) {
        if (state === 'signed-in' || staysSignedIn) returning.add(id)
        else if (left.includes(id) && returning.delete(id)) remove(id, () => true)
      }
      signedIn = new Set(view.accounts.flatMap(({ id, state }) => (state === 'signed-in' ? [id] : [])))
      restore()
    }),
    deps.onMachines(restore),
    deps.onGone(({ account, machines }) =>
      remove(account, (machine) => machines.some(({ id }) => id === machine)),
    ),
    saved.onLoad(() => {
      deps.loaded()
      restore()
    }),
    forgetGoneWhileClosed({
      fleet: deps.fleet,
      details: deps.details,
      remembered: (account) => saved.all().flatMap((one) => (one.account === account ? [one.machine] : [])),
      isListed: (account, id) => deps.machine(account, id) !== undefined,
      forget: (account, ids) => saved.remove(account, ({ machine }) => ids.includes(machine)),
      report: (error) => report('tunnel.save', error),
    }),
  ]
  return () => {
    isOver = true
    ends.forEach((end) => end())
  }
}
