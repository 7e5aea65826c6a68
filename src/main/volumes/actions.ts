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
  /** Volumes that the service says it has deleted, by resource key. */
  readonly deleted: Set<string>
  readonly clock: Clock
  /** Does not wait for the disk. */
  remember(written: Promise<void>): void
  of(account: AccountId): AccountVolumes
  /** Undefined once the account was forgotten, or the application ends. */
  find(account: AccountId): AccountVolumes | undefined
  read(account: AccountId): Promise<void>
}

/** Statuses of a volume that is attached or detached, or on its way there (service-extensions.md). */
const reached: Readonly<Record<'attached' | 'detached', readonly string[]>> = {
  attached: ['in-use', 'attached', 'attaching'],
  detached: ['available', 'detaching'],
}

/** What a person does with volumes that exist: sent to the service, remembered and shown at once. */
export function createVolumeActions({
  accounts,
  extensions,
  memory,
  deleted,
  clock,
  remember,
  of,
  find,
  read,
}: VolumeActionsDeps) {
  const { now } = clock
  const { lookUp, close } = createLookUp(clock)
  const isListed = (account: AccountId): boolean => of(account).snapshot().status.listed === true

  /** Fails with invalid-input (account) where it was forgotten in between: nothing of it may be remembered then. */
  function keep(
    account: AccountId,
    ids: readonly string[],
    update: (known: RememberedVolume) => RememberedVolume,
  ): void {
    of(account)
    remember(memory.update(account, ids, update))
  }

  /** Shows what was done and reads in the background whether the service says so too. */
  function show(account: AccountId, ids: readonly string[], change: (view: VolumeView) => VolumeView): void {
    const volumes = of(account)
    volumes.show(ids.map((id) => change(volumes.view(id) ?? newView(id))))
    void read(account)
  }

  function keepCreated(
    account: AccountId,
    wanted: NewVolume,
    regionName: string | null,
    created: Volume,
  ): void {
    const status = created.status || null
    const known = {
      displayName: created.display_name || wanted.display_name,
      name: created.name || null,
      size: created.size_gb ?? wanted.size,
      region: { id: wanted.region_id, name: regionName },
      bootable: created.bootable ?? wanted.image_id !== undefined,
      description: created.description || wanted.description || null,
      currency: created.payment_currency || wanted.payment_currency || null,
      createdAt: now(),
    }
    keep(account, [created.id], () => ({
      ...unremembered,
      ...known,
      attachment: { machine: null, at: now() },
      reported: status === null ? null : { status, at: now() },
    }))
    if (memory.typeOf(account, wanted.region_id) !== wanted.type_id)
      remember(memory.rememberType(account, wanted.region_id, wanted.type_id))
    show(account, [created.id], () => ({
      id: created.id,
      ...known,
      status,
      attachment: { kind: 'detached' },
      settling: isListed(account) && volumeState(status) === 'moving',
      more: volumeMore(created),
    }))
  }

  function showAttached(account: AccountId, machine: string, volumes: readonly string[]): void {
    const attachment = { machine, at: now() }
    keep(account, volumes, (known) => ({ ...known, attachment, reported: null }))
    const settling = isListed(account)
    show(account, volumes, (view) => ({
      ...view,
      settling,
      status: settling ? 'attaching' : null,
      attachment: { kind: 'attached', machine },
    }))
  }

  function showDetached(account: AccountId, volumes: readonly string[], status: string | null): void {
    const done = {
      attachment: { machine: null, at: now() },
      reported: status === null ? null : { status, at: now() },
    }
    keep(account, volumes, (known) => ({ ...known, ...done }))
    show(account, volumes, (view) => ({
      ...view,
      status,
      settling: isListed(account) && volumeState(status) === 'moving',
      attachment: { kind: 'detached' },
    }))
  }

  /** Volumes that were listed as available before they were last attached here, by resource key. */
  const availableBefore = new Set<string>()
  function noteAvailable(account: AccountId, volumes: readonly string[]): void {
    for (const volume of volumes) {
      const key = resourceKey(account, volume)
      if (find(account)?.view(volume)?.status?.toLowerCase() === 'available') availableBefore.add(key)
      else availableBefore.delete(key)
    }
  }

  /** Sent once. Fails as the client does where it was not done for certain. */
  const attach = (
    account: AccountId,
    machine: string,
    volumes: readonly string[],
  ): Promise<ActionOutcome> => {
    noteAvailable(account, volumes)
    return sentOnce('volumes.attach', async () => {
      await accounts.service(account).volumes.attach(machine, { volume_ids: [...volumes] })
      showAttached(account, machine, volumes)
    })
  }

  /** As attach. */
  const detach = (account: AccountId, machine: string, volume: string): Promise<ActionOutcome> =>
    sentOnce('volumes.detach', async () => {
      const answers = await accounts.service(account).volumes.detach(machine, volume)
      const status = answers.find(({ volume_id }) => volume_id === volume)?.status || null
      showDetached(account, [volume], status)
    })

  /** What the service's list says of them; where it has none, nothing says it. */
  async function attachmentNow(
    account: AccountId,
    ids: readonly string[],
    wanted: 'attached' | 'detached',
  ): Promise<LookUp> {
    if (!extensions.mayList(account)) return 'unknown'
    const { items } = await readAll((page) => extensions.list(account, page), pageSizes.resources)
    const statuses = ids.map((id) => items.find((volume) => volume.id === id)?.status?.toLowerCase())
    if (statuses.some((status) => status === undefined)) return 'unknown'
    if (!statuses.every((status = '') => reached[wanted].includes(status))) return 'not-done'
    // A volume that was not available before may be attached to another machine: the list does not name it.
    const isProof = wanted === 'detached' || ids.every((id) => availableBefore.has(resourceKey(account, id)))
    return isProof ? 'done' : 'unknown'
  }

  /** What became of attaching or detaching, where the answer was lost. Never fails. */
  async function lookUpAttachment(
    account: AccountId,
    machine: string,
    volumes: readonly string[],
    wanted: 'attached' | 'detached',
  ): Promise<LookUp> {
    const found = await lookUp(() => attachmentNow(account, volumes, wanted))
    if (!find(account)) return found
    if (found !== 'done') void read(account)
    else if (wanted === 'attached') showAttached(account, machine, volumes)
    else showDetached(account, volumes, null)
    return found
  }

  /**
   * Detaches a volume and waits until it is, for half a minute at most. Fails as the client does, and with invalid-input
   * (volume: still-attached), also where it was attached anew since: that was not confirmed.
   */
  async function detachFirst(account: AccountId, machine: string, volume: string): Promise<ActionOutcome> {
    const outcome = await detach(account, machine, volume)
    if (outcome.kind === 'unknown') return outcome
    const found = await lookUp(async () => {
      await read(account)
      const view = of(account).view(volume)
      return view?.settling === false && view.attachment.kind !== 'attached' ? 'done' : 'not-done'
    })
    if (found !== 'done')
      throw new FailureError({ kind: 'invalid-input', field: 'volume', reason: 'still-attached' })
    return outcome
  }

  /**
   * `name` is what the person typed to confirm, `detachFrom` the machine that it is detached from before. Fails with
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
    if (outcome.kind === 'unknown') {
      void read(account)
      return outcome
    }
    // Nothing is left to change of a forgotten account.
    if (!find(account)) return outcome
    remember(memory.forget(account, volume))
    deleted.add(resourceKey(account, volume))
    show(account, [volume], (view) => ({ ...view, status: 'deleting', settling: isListed(account) }))
    return outcome
  }

  return { keepCreated, attach, detach, lookUp: lookUpAttachment, remove, close }
}
