import type { AccountId } from '#shared/bridge/account'
import { resourceKey } from '#shared/resource-key'
import type { ReportError } from '../core/report-error'
import { forgetGone, type ForgetGoneDeps } from '../fleet/forget-gone'
import { type FollowedMachines, leftAccounts } from '../ssh/follow-machines'
import type { SavedForward, SavedForwards } from './saved-forwards'

export interface RestoreDeps
  extends
    Pick<FollowedMachines, 'accounts' | 'machine' | 'onMachines' | 'onGone'>,
    Pick<ForgetGoneDeps, 'fleet' | 'details'> {
  readonly saved: SavedForwards
  isOpen(forward: SavedForward): boolean
  /** Opens a forward when its turn comes, if `isWanted` then returns true. */
  open(forward: SavedForward, isWanted: () => boolean): Promise<unknown>
  loaded(): void
  readonly report: ReportError
}

/**
 * Opens the saved forwards of signed-in accounts once their machines are listed. Forgets the forwards of accounts that the
 * user left and of machines that are gone. Returns a disposer.
 */
export function restoreForwards(deps: RestoreDeps): () => void {
  const { saved, report } = deps
  let signedIn: ReadonlySet<AccountId> = new Set()
  /** Accounts that were signed in, or stay signed in, during this run. */
  const returning = new Set<AccountId>()
  /** Keys of forwards that are being opened or failed to open. */
  const attempted = new Set<string>()
  let isOver = false

  const reportSave = (error: unknown): void => report('tunnel.save', error)

  function restore(): void {
    for (const forward of saved.all()) {
      const { account, machine, port } = forward
      const key = resourceKey(account, `${machine}:${String(port)}`)
      if (deps.isOpen(forward) || attempted.has(key)) continue
      if (!signedIn.has(account) || !deps.machine(account, machine)) continue
      attempted.add(key)
      // The user may sign out before its turn comes.
      deps
        .open(forward, () => saved.isSaved(forward))
        .then(
          () => attempted.delete(key),
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
        else if (left.includes(id) && returning.delete(id)) saved.remove(id, () => true).catch(reportSave)
      }
      signedIn = new Set(view.accounts.flatMap(({ id, state }) => (state === 'signed-in' ? [id] : [])))
      restore()
    }),
    deps.onMachines(restore),
    saved.onLoad(() => {
      deps.loaded()
      restore()
    }),
    forgetGone({
      fleet: deps.fleet,
      onGone: deps.onGone,
      details: deps.details,
      remembered: (account) =>
        saved.all().flatMap((forward) => (forward.account === account ? [forward.machine] : [])),
      isListed: (account, id) => deps.machine(account, id) !== undefined,
      forget: (account, ids) => saved.remove(account, ({ machine }) => ids.includes(machine)),
      report: reportSave,
    }),
  ]
  return () => {
    isOver = true
    ends.forEach((end) => end())
  }
}
