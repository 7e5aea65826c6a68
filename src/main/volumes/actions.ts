import type { AccountId } from '#shared/bridge/account'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { VolumeView } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'
import { resourceKey } from '#shared/resource-key'
import type { NewVolume, Volume } from '#shared/service/volume'
import { volumeState } from '#shared/service/volume-state'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { readAll } from '../core/read-all-pages'
import { createLookUp, sentOnce } from '../core/at-most-once'
import type { AccountVolumes } from './account-volumes'
import type { VolumeExtensions } from './extensions'
import { type RememberedVolume, unremembered, type VolumeMemory } from './remembered-volumes'
import { newView, volumeMore } from './views'

interface VolumeActionsDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly extensions: Pick<VolumeExtensions, 'mayList' | 'list' | 'remove'>
  readonly memory: VolumeMemory
  /** Resource keys of the volumes whose deletion the service confirmed. */
  readonly deleted: Set<string>
  readonly clock: Clock
  /** Reports a failed write without waiting for it. */
  remember(written: Promise<void>): void
  of(account: AccountId): AccountVolumes
  /** Returns undefined once the account was forgotten or the application ends. */
  find(account: AccountId): AccountVolumes | undefined
  read(account: AccountId): Promise<void>
}

/** Statuses of a volume that is attached or detached, or in transition to it (service-extensions.md). */
const statusesOf: Readonly<Record<'attached' | 'detached', readonly string[]>> = {
  attached: ['in-use', 'attached', 'attaching'],
  detached: ['available', 'detaching'],
}

/** Stores and shows the results of actions at once, before a reading confirms them. */
function createResults({
  memory,
  deleted,
  clock: { now },
  remember,
  of,
  read,
}: Pick<VolumeActionsDeps, 'memory' | 'deleted' | 'clock' | 'remember' | 'of' | 'read'>) {
  const isListed = (account: AccountId): boolean => of(account).snapshot().status.listed === true
  const isSettling = (account: AccountId, status: string | null): boolean =>
    isListed(account) && volumeState(status) === 'moving'

  /** Stores a change. Fails with invalid-input (account) if the account was forgotten: then nothing may be stored. */
  function keep(
    account: AccountId,
    ids: readonly string[],
    update: (known: RememberedVolume) => RememberedVolume,
  ): void {
    of(account)
    remember(memory.update(account, ids, update))
  }

  /** Shows a change and reads in the background whether the service confirms it. */
  function show(account: AccountId, ids: readonly string[], change: (view: VolumeView) => VolumeView): void {
    const volumes = of(account)
    volumes.show(ids.map((id) => change(volumes.view(id) ?? newView(id))))
    void read(account)
  }

  return {
    created(account: AccountId, wanted: NewVolume, regionName: string | null, volume: Volume): void {
      const status = volume.status || null
      const known = {
        displayName: volume.display_name || wanted.display_name,
        name: volume.name || null,
        size: volume.size_gb ?? wanted.size,
        region: { id: wanted.region_id, name: regionName },
        bootable: volume.bootable ?? wanted.image_id !== undefined,
        description: volume.description || wanted.description || null,
        currency: volume.payment_currency || wanted.payment_currency || null,
        createdAt: now(),
      }
      keep(account, [volume.id], () => ({
        ...unremembered,
        ...known,
        attachment: { machine: null, at: now(), isLost: false },
        reported: status === null ? null : { status, at: now() },
      }))
      if (memory.typeOf(account, wanted.region_id) !== wanted.type_id)
        remember(memory.rememberType(account, wanted.region_id, wanted.type_id))
      show(account, [volume.id], () => ({
        id: volume.id,
        ...known,
        status,
        attachment: { kind: 'detached' },
        settling: isSettling(account, status),
        more: volumeMore(volume),
      }))
    },
    attached(account: AccountId, machine: string, volumes: readonly string[]): void {
      const attachment = { machine, at: now(), isLost: false }
      keep(account, volumes, (known) => ({ ...known, attachment, reported: null }))
      const settling = isListed(account)
      show(account, volumes, (view) => ({
        ...view,
        settling,
        status: settling ? 'attaching' : null,
        attachment: { kind: 'attached', machine },
      }))
    },
    /** Stores an attachment whose answer was lost, unless an earlier one is known. */
    maybeAttached(account: AccountId, machine: string, volumes: readonly string[]): void {
      const attachment = { machine, at: now(), isLost: true }
      keep(account, volumes, (known) => ({ ...known, attachment: known.attachment ?? attachment }))
    },
    detached(account: AccountId, volumes: readonly string[], status: string | null): void {
      const attachment = { machine: null, at: now(), isLost: false }
      const reported = status === null ? null : { status, at: now() }
      keep(account, volumes, (known) => ({ ...known, attachment, reported }))
      show(account, volumes, (view) => ({
        ...view,
        status,
        settling: isSettling(account, status),
        attachment: { kind: 'detached' },
      }))
    },
    deleted(account: AccountId, volume: string): void {
      remember(memory.forget(account, volume))
      deleted.add(resourceKey(account, volume))
      show(account, [volume], (view) => ({ ...view, status: 'deleting', settling: isListed(account) }))
    },
  }
}

export function createVolumeActions(deps: VolumeActionsDeps) {
  const { accounts, extensions, clock, of, find, read } = deps
  const { lookUp, close } = createLookUp(clock)
  const results = createResults(deps)

  /** Resource keys of the volumes that were available before they were last attached here. */
  const availableBefore = new Set<string>()
  function noteAvailable(account: AccountId, volumes: readonly string[]): void {
    for (const volume of volumes) {
      const key = resourceKey(account, volume)
      if (find(account)?.view(volume)?.status?.toLowerCase() === 'available') availableBefore.add(key)
      else availableBefore.delete(key)
    }
  }

  /** Sends the request once. Fails as the client does if nothing was changed for certain. */
  async function attach(
    account: AccountId,
    machine: string,
    volumes: readonly string[],
  ): Promise<ActionOutcome> {
    noteAvailable(account, volumes)
    const outcome = await sentOnce('volumes.attach', async () => {
      await accounts.service(account).volumes.attach(machine, { volume_ids: [...volumes] })
      results.attached(account, machine, volumes)
    })
    if (outcome.kind === 'unknown' && find(account)) results.maybeAttached(account, machine, volumes)
    return outcome
  }

  /** Sends the request once. Fails like `attach`. */
  const detach = (account: AccountId, machine: string, volume: string): Promise<ActionOutcome> =>
    sentOnce('volumes.detach', async () => {
      const answers = await accounts.service(account).volumes.detach(machine, volume)
      const status = answers.find(({ volume_id }) => volume_id === volume)?.status || null
      results.detached(account, [volume], status)
    })

  /** Looks for the result in the service's list; unknown if it has none. */
  async function attachmentInList(
    account: AccountId,
    ids: readonly string[],
    wanted: 'attached' | 'detached',
  ): Promise<LookUp> {
    if (!extensions.mayList(account)) return 'unknown'
    const { items } = await readAll((page) => extensions.list(account, page), pageSizes.resources)
    const statuses = ids.map((id) => items.find((volume) => volume.id === id)?.status?.toLowerCase())
    if (statuses.some((status) => status === undefined)) return 'unknown'
    if (!statuses.every((status = '') => statusesOf[wanted].includes(status))) return 'not-done'
    // The list does not name the machine: a volume that was not available before may be attached to another one.
    const isProof = wanted === 'detached' || ids.every((id) => availableBefore.has(resourceKey(account, id)))
    return isProof ? 'done' : 'unknown'
  }

  /** Determines the outcome of a request whose answer was lost. Never fails. */
  async function lookUpAttachment(
    account: AccountId,
    machine: string,
    volumes: readonly string[],
    wanted: 'attached' | 'detached',
  ): Promise<LookUp> {
    const outcome = await lookUp(() => attachmentInList(account, volumes, wanted))
    if (!find(account)) return outcome
    if (outcome !== 'done') void read(account)
    else if (wanted === 'attached') results.attached(account, machine, volumes)
    else results.detached(account, volumes, null)
    return outcome
  }

  /**
   * Detaches a volume and waits up to half a minute for the result. Fails as the client does, and with invalid-input
   * (volume: still-attached), also if the volume was attached again: the user did not confirm that.
   */
  async function detachFirst(account: AccountId, machine: string, volume: string): Promise<ActionOutcome> {
    const outcome = await detach(account, machine, volume)
    if (outcome.kind === 'unknown') return outcome
    const state = await lookUp(async () => {
      await read(account)
      const view = of(account).view(volume)
      return view?.settling === false && view.attachment.kind !== 'attached' ? 'done' : 'not-done'
    })
    if (state !== 'done')
      throw new FailureError({ kind: 'invalid-input', field: 'volume', reason: 'still-attached' })
    return outcome
  }

  /**
   * Deletes a volume. `name`: confirmation that the user typed; `detachFrom`: machine to detach it from first. Fails with
   * invalid-input (volume, name), or as the client does.
   */
  async function remove(
    account: AccountId,
    volume: string,
    name: string,
    detachFrom?: string,
  ): Promise<ActionOutcome> {
    const known = of(account).view(volume)
    if (!known) throw new FailureError({ kind: 'invalid-input', field: 'volume', reason: 'unknown' })
    if (name !== (known.displayName ?? known.name ?? known.id))
      throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'not-the-name' })
    const detached = detachFrom === undefined ? null : await detachFirst(account, detachFrom, volume)
    if (detached?.kind === 'unknown') return detached
    const outcome = await sentOnce('volumes.delete', () => extensions.remove(account, volume))
    if (outcome.kind === 'unknown') void read(account)
    else if (find(account)) results.deleted(account, volume)
    return outcome
  }

  return { keepCreated: results.created, attach, detach, lookUp: lookUpAttachment, remove, close }
}
