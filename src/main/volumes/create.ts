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
  /** Reads the volumes anew. `failure`: why they are not up to date. Never fails. */
  read(
    account: AccountId,
  ): Promise<Baseline & { readonly views: readonly VolumeView[]; readonly failure: Failure | null }>
  keep(account: AccountId, wanted: NewVolume, regionName: string | null, created: Volume): void
}

/** What is kept of an order while its outcome is open. */
const orderOf = (id: string, { account, request, volume }: CallInput<'volumes.create'>) => ({
  id,
  request,
  account,
  name: volume.display_name,
  region: volume.region_id,
  size: volume.size,
})

/** Whether the service can be reached all the same: it lacks the list, refuses it, or answers it in an unknown form. */
const answersOtherwise = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' || failure.kind === 'unexpected-answer' || isAbsent(failure)

/**
 * Creates volumes, each sent once. Where no answer comes, the volumes there are now are compared with those before,
 * then and with every later reading; nothing is ever resent automatically.
 */
export function createVolumeCreation({ pending, now, report, post, read, keep }: CreateDeps) {
  /** One at a time per account: else one creation's volume would be taken for another's. */
  const exclusively = createKeyedMutex<AccountId>()

  /** Memory has the change: where it does not get to the disk, the outcome is answered all the same. */
  const kept = async (written: Promise<void>): Promise<void> => {
    await written.catch((error: unknown) => report('volumes.keep-creation', error))
  }

  async function withoutAnswer(account: AccountId, id: string, error: unknown): Promise<VolumeCreation> {
    if (changedNothing(error)) {
      await kept(pending.settle(account, id, null))
      throw error
    }
    const failure = failureOf(error, 'volumes.create')
    await kept(pending.unanswered(account, id, failure))
    const { views } = await read(account)
    await kept(pending.compare(account, views))
    const found = pending.recognised(id)
    return found === undefined ? { kind: 'unknown', failure } : { kind: 'found', volume: found }
  }

  async function send(id: string, input: CallInput<'volumes.create'>): Promise<VolumeCreation> {
    const { account, volume, regionName } = input
    // Reading first also signs in again where that is needed: what fails here has sent nothing.
    const before = await read(account)
    if (before.failure && !answersOtherwise(before.failure)) throw new FailureError(before.failure)
    try {
      await pending.add({ ...orderOf(id, input), sentAt: now() }, before)
    } catch (error) {
      // Nothing was sent: what memory holds of it would wait for ever.
      await pending.settle(account, id, null).catch(() => undefined)
      throw error
    }
    let created: Volume
    try {
      created = await post(account, volume)
    } catch (error) {
      return withoutAnswer(account, id, error)
    }
    keep(account, volume, regionName, created)
    await kept(pending.settle(account, id, created.id))
    return { kind: 'created', volume: created.id }
  }

  return {
    /** Asks before it waits for others: a second press of Create finds the first, however slow the service is. */
    async create(input: CallInput<'volumes.create'>): Promise<VolumeCreation> {
      const { account, request, again, volume } = input
      const name = volume.display_name
      // One yes is for what it was asked about: a second press of it finds what the first has sent.
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
