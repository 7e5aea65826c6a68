import type { AccountId } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import type { VolumeCreation, VolumeView } from '#shared/bridge/volume'
import { type Failure, FailureError, failureOf } from '#shared/failure'
import type { NewVolume, Volume } from '#shared/service/volume'
import { createKeyedMutex } from '../core/mutex'
import { hadNoEffect } from '../core/sent-once'
import type { ReportError } from '../core/report-error'
import type { PendingCreations } from './pending-creations'

export interface CreateDeps {
  readonly pending: PendingCreations
  /** Epoch seconds. */
  now(): number
  readonly report: ReportError
  post(account: AccountId, volume: NewVolume): Promise<Volume>
  /** Reads the volumes anew; what then keeps them from being up to date is `failure`. Never fails. */
  read(
    account: AccountId,
  ): Promise<{ readonly views: readonly VolumeView[]; readonly failure: Failure | null }>
  keep(account: AccountId, wanted: NewVolume, regionName: string | null, created: Volume): void
}

const refuse = (field: string, reason: 'outcome-open' | 'already-there'): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

/**
 * Creates volumes, each sent once. Where no answer comes, the volumes there are now are compared with those before,
 * then and with every later reading; nothing is ever sent again by itself.
 */
export function createVolumeCreation({ pending, now, report, post, read, keep }: CreateDeps) {
  /** Requests of this run that were sent: the same one is never sent again. */
  const handled = new Set<string>()
  /** One at a time per account: else one creation's volume would be taken for another's. */
  const exclusively = createKeyedMutex<AccountId>()

  /** Memory has the change: where it does not get to the disk, the outcome is answered all the same. */
  const kept = async (written: Promise<void>): Promise<void> => {
    await written.catch((error: unknown) => report('volumes.keep-creation', error))
  }

  async function withoutAnswer(account: AccountId, id: string, failure: Failure): Promise<VolumeCreation> {
    if (hadNoEffect(failure)) {
      handled.delete(id)
      await kept(pending.settle(account, id, null))
      throw new FailureError(failure)
    }
    await kept(pending.unanswered(account, id, failure))
    const { views } = await read(account)
    await kept(pending.compare(account, views))
    const found = pending.recognised(id)
    return found === undefined ? { kind: 'unknown', failure } : { kind: 'found', volume: found }
  }

  async function send(input: CallInput<'volumes.create'>): Promise<VolumeCreation> {
    const { account, request: id, again, volume, regionName } = input
    const name = volume.display_name
    if (handled.has(id) || pending.list(account).some((one) => one.id === id))
      throw refuse('request', 'already-there')
    const earlier = pending.list(account).filter((one) => one.name === name)
    if (earlier.some(({ state }) => state === 'sending') || (earlier.length > 0 && !again))
      throw refuse('volume.display_name', 'outcome-open')
    // Reading first also signs in again where that is needed: what fails here has sent nothing.
    const before = await read(account)
    if (before.failure) throw new FailureError(before.failure)
    try {
      await pending.add(
        { id, account, name, sentAt: now() },
        before.views.map((view) => view.id),
      )
    } catch (error) {
      // Nothing was sent: what memory holds of it would wait for ever.
      await pending.settle(account, id, null).catch(() => undefined)
      throw error
    }
    handled.add(id)
    let created: Volume
    try {
      created = await post(account, volume)
    } catch (error) {
      return withoutAnswer(account, id, failureOf(error, 'volumes.create'))
    }
    keep(account, volume, regionName, created)
    await kept(pending.settle(account, id, created.id))
    return { kind: 'created', volume: created.id }
  }

  return {
    create: (input: CallInput<'volumes.create'>): Promise<VolumeCreation> =>
      exclusively(input.account, () => send(input)),
  }
}
