import type { AccountId } from '#shared/bridge/account'
import type { FleetChange } from '#shared/bridge/fleet'
import type { Subscribe } from '#shared/emitter'
import { failureOf } from '../core/failure-of'
import { createAbsences, presenceAfter } from '../core/absences'
import { resourceKey } from '#shared/resource-key'

export interface ForgetGoneDeps {
  readonly fleet: { readonly onChange: Subscribe<Pick<FleetChange, 'account' | 'status'>> }
  /** Machines that disappear while the application runs. */
  readonly onGone: Subscribe<{
    readonly account: AccountId
    readonly machines: readonly { readonly id: string }[]
  }>
  remembered(account: AccountId): readonly string[]
  isListed(account: AccountId, id: string): boolean
  /** Read the details of a machine, and of other things with such ids. Fail as the client does. */
  readonly details: readonly ((account: AccountId, id: string) => Promise<unknown>)[]
  /** Also called with ids that are not remembered. */
  forget(account: AccountId, ids: readonly string[]): Promise<void>
  report(error: unknown): void
}

/** Upper bound on the requests after one reading. */
const maxRequests = 20

/**
 * Deletes the data of machines that are gone, also of those that were deleted while the application was closed: two complete
 * lists do not name them, and the service does not know their ids. Each id is requested once. Returns a disposer.
 */
export function forgetGone(deps: ForgetGoneDeps): () => void {
  const absences = new Map<AccountId, ReturnType<typeof createAbsences>>()
  const lastRead = new Map<AccountId, number>()
  const requested = new Set<string>()

  async function isUnknown(account: AccountId, id: string): Promise<boolean> {
    const answers = await Promise.all(
      deps.details.map((read) =>
        read(account, id).then(
          () => 'there' as const,
          (error: unknown) => presenceAfter(failureOf(error, 'fleet.read')),
        ),
      ),
    )
    const [machine] = answers
    return machine === 'absent' && answers.every((answer) => answer === 'absent' || answer === 'maybe-absent')
  }

  async function check(account: AccountId): Promise<void> {
    const missingCounts = absences.get(account) ?? createAbsences()
    absences.set(account, missingCounts)
    const missing = deps.remembered(account).filter((id) => !deps.isListed(account, id))
    const gone: string[] = []
    const candidates = [...missingCounts.take(missing, { complete: true, unreadable: [] })]
      .filter((id) => !requested.has(resourceKey(account, id)))
      .slice(0, maxRequests)
    for (const id of candidates) {
      requested.add(resourceKey(account, id))
      if (await isUnknown(account, id)) gone.push(id)
    }
    const remembered = new Set(deps.remembered(account))
    const deleted = gone.filter((id) => remembered.has(id) && !deps.isListed(account, id))
    if (deleted.length > 0) await deps.forget(account, deleted)
  }

  const ends = [
    deps.fleet.onChange(({ account, status }) => {
      const { asOf, reading, failure, unreadable } = status
      if (asOf === null || reading || failure || unreadable || lastRead.get(account) === asOf) return
      lastRead.set(account, asOf)
      check(account).catch(deps.report)
    }),
    deps.onGone(({ account, machines }) => {
      const ids = machines.map(({ id }) => id)
      deps.forget(account, ids).catch(deps.report)
    }),
  ]
  return () => ends.forEach((end) => end())
}
