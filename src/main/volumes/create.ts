import { randomUUID } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import type { VolumeCreation, VolumeView } from '#shared/bridge/volume'
import { earlierVolumes } from '#shared/earlier-creations'
import { type Failure, FailureError, isAbsent } from '#shared/failure'
import type { NewVolume, Volume } from '#shared/service/volume'
import { failureOf } from '../core/failure-of'
import type { Clock } from '../core/clock'
import { createKeyedMutex } from '../core/mutex'
import { changedNothing } from '../core/at-most-once'
import type { ReportError } from '../core/report-error'
import type { Baseline, PendingCreations } from './pending-creations'

export interface CreateDeps {
  readonly pending: PendingCreations
  readonly now: Clock['now']
  readonly report: ReportError
  post(account: AccountId, volume: NewVolume): Promise<Volume>
  /** Reads the volumes again. `failure`: reason why they may be outdated. Never fails. */
  read(
    account: AccountId,
  ): Promise<Baseline & { readonly views: readonly VolumeView[]; readonly failure: Failure | null }>
  keep(account: AccountId, wanted: NewVolume, regionName: string | null, created: Volume): void
}

const orderOf = (id: string, { account, request, volume }: CallInput<'volumes.create'>) => ({
  id,
  request,
  account,
  name: volume.display_name,
  region: volume.region_id,
  size: volume.size,
})

/** Whether the service is reachable despite the failure: it lacks the list, refuses it, or uses an unknown form. */
const answersOtherwise = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' || failure.kind === 'unexpected-answer' || isAbsent(failure)

/**
 * Creates volumes, each sent once. If no answer comes, current volumes are compared with the earlier ones, then with each
 * later reading. Nothing is ever resent automatically.
 */
export function createVolumeCreation({ pending, now, report, post, read, keep }: CreateDeps) {
  /** Runs one creation at a time per account, so that a new volume matches only one creation. */
  const exclusively = createKeyedMutex<AccountId>()

  /** Waits for a write and reports its failure: the outcome is returned anyway. */
  const stored = async (written: Promise<void>): Promise<void> => {
    await written.catch((error: unknown) => report('volumes.keep-creation', error))
  }

  async function withoutAnswer(account: AccountId, id: string, error: unknown): Promise<VolumeCreation> {
    if (changedNothing(error)) {
      await stored(pending.settle(account, id, null))
      throw error
    }
    const failure = failureOf(error, 'volumes.create')
    await stored(pending.unanswered(account, id, failure))
    const { views } = await read(account)
    await stored(pending.compare(account, views))
    const volume = pending.recognised(id)
    return volume === undefined ? { kind: 'unknown', failure } : { kind: 'found', volume: volume }
  }

  async function send(id: string, input: CallInput<'volumes.create'>): Promise<VolumeCreation> {
    const { account, volume, regionName } = input
    // Reading first also signs in again if necessary, and nothing was sent if it fails.
    const before = await read(account)
    if (before.failure && !answersOtherwise(before.failure)) throw new FailureError(before.failure)
    try {
      await pending.add({ ...orderOf(id, input), sentAt: now() }, before)
    } catch (error) {
      // Nothing was sent, so the entry in memory must not wait forever.
      await pending.settle(account, id, null).catch(() => undefined)
      throw error
    }
    let createdVolume: Volume
    try {
      createdVolume = await post(account, volume)
    } catch (error) {
      return withoutAnswer(account, id, error)
    }
    keep(account, volume, regionName, createdVolume)
    await stored(pending.settle(account, id, createdVolume.id))
    return { kind: 'created', volume: createdVolume.id }
  }

  return {
    /** Checks for earlier creations before it waits, so that a second press of Create finds the first. */
    async create(input: CallInput<'volumes.create'>): Promise<VolumeCreation> {
      const { account, request, again, volume } = input
      const name = volume.display_name
      // A confirmation covers only the creations that the user saw: a second press finds the first one's creation.
      const earlier = earlierVolumes(pending.list(account, [name]), { name, request })
      if (earlier.some(({ id }) => !again.includes(id)))
        throw new FailureError({
          kind: 'invalid-input',
          field: 'volume.display_name',
          reason: 'outcome-open',
        })
      const id = randomUUID()
      pending.queue({ ...orderOf(id, input), sentAt: now() })
      try {
        return await exclusively(account, () => send(id, input))
      } finally {
        pending.unqueue(account, id)
      }
    },
  }
}
