import type { AccountId } from '#shared/bridge/account'
import type { FleetChange } from '#shared/bridge/fleet'
import type { Subscribe } from '#shared/emitter'
import { failureOf } from '../core/failure-of'
import { createAbsences, presenceAfter } from '../core/absences'
import { resourceKey } from '#shared/resource-key'

export interface GoneWhileClosedDeps {
  readonly fleet: { readonly onChange: Subscribe<Pick<FleetChange, 'account' | 'status'>> }
  /** Ids that something is kept of on disk. */
  remembered(account: AccountId): readonly string[]
  /** Whether a machine or bare metal instance of this id is listed now. */
  isListed(account: AccountId, id: string): boolean
  /** The details of a machine, and of what else an id may name. Fail as the client does. */
  readonly details: readonly ((account: AccountId, id: string) => Promise<unknown>)[]
  forget(account: AccountId, ids: readonly string[]): Promise<void>
  report(error: unknown): void
}

/** Ids that are asked for after one reading. */
const askedAtOnce = 20

/**
 * Forgets what is kept of machines that were deleted while the application was closed: what two good readings of the
 * whole list do not name, and the service does not know by its id either. Each is asked for once.
 */
export function forgetGoneWhileClosed(deps: GoneWhileClosedDeps): () => void {
  const absences = new Map<AccountId, ReturnType<typeof createAbsences>>()
  /** When the list was read that was looked at last. */
  const seen = new Map<AccountId, number>()
  const asked = new Set<string>()

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

  async function look(account: AccountId): Promise<void> {
    const own = absences.get(account) ?? createAbsences()
    absences.set(account, own)
    const missing = deps.remembered(account).filter((id) => !deps.isListed(account, id))
    const gone: string[] = []
    const candidates = [...own.take(missing, { complete: true, unreadable: [] })]
      .filter((id) => !asked.has(resourceKey(account, id)))
      .slice(0, askedAtOnce)
    for (const id of candidates) {
      asked.add(resourceKey(account, id))
      if (await isUnknown(account, id)) gone.push(id)
    }
    const still = new Set(deps.remembered(account))
    const forgotten = gone.filter((id) => still.has(id) && !deps.isListed(account, id))
    if (forgotten.length > 0) await deps.forget(account, forgotten)
  }

  return deps.fleet.onChange(({ account, status }) => {
    const { asOf, reading, failure, unreadable } = status
    if (asOf === null || reading || failure || unreadable || seen.get(account) === asOf) return
    seen.set(account, asOf)
    look(account).catch(deps.report)
  })
}
