import type { AccountId } from '#shared/bridge/account'
import type { RegionRef } from '#shared/bridge/catalog'
import type { HandlersOf } from '#shared/bridge/index'
import type {
  volumeCalls,
  volumeEvents,
  VolumesChange,
  VolumesSnapshot,
  VolumeTypes,
  VolumeView,
} from '#shared/bridge/volume'
import { FailureError, failureOf, isAbsent } from '#shared/failure'
import { resourceKey } from '#shared/resource-key'
import type { NewVolume, Volume } from '#shared/service/volume'
import { volumeState } from '#shared/service/volume-state'
import type { Accounts } from '../accounts/index'
import { sentOnce } from '../core/sent-once'
import type { Clock } from '../core/clock'
import { createEmitter } from '../core/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { volumesPollInterval } from '../core/poll-interval'
import { createPoller } from '../core/poller'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import { type AccountVolumes, accountVolumes } from './account-volumes'
import { createVolumeCreation } from './create'
import { named, openMemory, rememberedOf, unremembered } from './memory'
import type { VolumeExtensions } from './extensions'
import { openPendingCreations } from './pending-creations'
import { newView, volumeMore } from './views'

export interface VolumesDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly documents: Sections
  readonly extensions: VolumeExtensions
  regions(account: AccountId): Promise<readonly RegionRef[]>
  readonly clock: Clock
  online(): boolean
  readonly report: ReportError
}

/** The volumes of all accounts, and what can be done with them. */
export function createVolumes(deps: VolumesDeps) {
  const { accounts, documents, extensions, regions, clock, online, report } = deps
  const { now } = clock
  const memory = openMemory(documents)
  const pending = openPendingCreations(documents, now)
  const changes = createEmitter<VolumesChange>()
  /** Volumes that the service says it has deleted, by resource key. */
  const deleted = new Set<string>()
  function publish(change: VolumesChange): void {
    changes.emit(change)
    // What turns up late is still recognised.
    if (change.upserts.length > 0)
      remember(pending.compare(change.account, poller.get(change.account).views()))
  }

  const poller = createPoller<AccountVolumes>({
    accounts,
    clock,
    online,
    pollInterval: volumesPollInterval,
    open: (account) =>
      accountVolumes(
        account,
        {
          mayList: () => extensions.mayList(account),
          list: (page) => extensions.list(account, page),
          usage: (page) => accounts.service(account).billing.usage(page),
          regions: () => regions(account).catch(() => []),
          expected: () => pending.expected(account),
          wasDeleted: (id) => deleted.has(resourceKey(account, id)),
          remembered: () => memory.volumes(account),
          // A reading that ends after the account was left must not bring back what was forgotten.
          remember: (remembered) => {
            if (isSignedIn(account)) remember(memory.replace(account, remembered))
          },
        },
        now,
        publish,
      ),
  })

  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.some(({ id, state }) => id === account && state === 'signed-in')

  memory.onLoad(() => {
    for (const { id } of accounts.view().accounts) {
      const volumes = poller.find(id)
      volumes?.showNames(
        volumes.views().map((view) => named(view, rememberedOf(memory.volumes(id), view.id))),
      )
    }
  })

  const isListed = (account: AccountId): boolean => poller.get(account).snapshot().status.listed === true

  /** What was done is done, also where it does not get to the disk. */
  const remember = (written: Promise<void>): void =>
    void written.catch((error: unknown) => report('volumes.remember', error))

  /** Shows what was done and reads in the background whether the service says so too. */
  function show(account: AccountId, ids: readonly string[], change: (view: VolumeView) => VolumeView): void {
    const volumes = poller.get(account)
    volumes.show(ids.map((id) => change(volumes.view(id) ?? newView(id))))
    void poller.read(account)
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
    remember(
      memory.update(account, [created.id], () => ({
        ...unremembered,
        ...known,
        attachment: { machine: null, at: now() },
        reported: status === null ? null : { status, at: now() },
      })),
    )
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

  const { create } = createVolumeCreation({
    pending,
    now,
    report,
    post: (account, volume) => accounts.service(account).volumes.create(volume),
    async read(account) {
      const volumes = poller.get(account)
      await poller.read(account)
      return { views: volumes.views(), failure: volumes.failure() }
    },
    keep: keepCreated,
  })

  async function types(account: AccountId, region: string): Promise<VolumeTypes> {
    try {
      const items = await extensions.types(account, region)
      return { offered: true, items: items.map(({ id, name }) => ({ id, name })) }
    } catch (error) {
      if (!isAbsent(failureOf(error, 'volumes.types'))) throw error
      const typed = memory.typeOf(account, region)
      return { offered: false, items: typed === undefined ? [] : [{ id: typed, name: typed }] }
    }
  }

  const snapshot = (account: AccountId): VolumesSnapshot => poller.get(account).snapshot()

  const handlers: HandlersOf<typeof volumeCalls> = {
    'volumes.snapshot': ({ account }) => snapshot(account),
    'volumes.refresh': ({ account }) => poller.read(account),
    'volumes.types': ({ account, region }) => types(account, region),
    'volumes.create': create,
    'volumes.pendingCreations': ({ account }) => pending.list(account),
    'volumes.dismiss': async ({ account, creation }) => {
      if (pending.list(account).some(({ id, state }) => id === creation && state === 'unknown'))
        await pending.settle(account, creation, null)
    },
    'volumes.attach': async ({ account, machine, volumes }) => {
      await accounts.service(account).volumes.attach(machine, { volume_ids: volumes })
      const attachment = { machine, at: now() }
      remember(memory.update(account, volumes, (known) => ({ ...known, attachment, reported: null })))
      const settling = isListed(account)
      show(account, volumes, (view) => ({
        ...view,
        settling,
        status: settling ? 'attaching' : null,
        attachment: { kind: 'attached', machine },
      }))
    },
    'volumes.detach': async ({ account, machine, volume }) => {
      const detached = await accounts.service(account).volumes.detach(machine, volume)
      const status = detached.find(({ volume_id }) => volume_id === volume)?.status || null
      const done = {
        attachment: { machine: null, at: now() },
        reported: status === null ? null : { status, at: now() },
      }
      remember(memory.update(account, [volume], (known) => ({ ...known, ...done })))
      show(account, [volume], (view) => ({
        ...view,
        status,
        settling: isListed(account) && volumeState(status) === 'moving',
        attachment: { kind: 'detached' },
      }))
    },
    'volumes.delete': async ({ account, volume, name }) => {
      const known = poller.get(account).view(volume)
      if (!known) throw new FailureError({ kind: 'invalid-input', field: 'volume', reason: 'unknown' })
      if (name !== (known.displayName ?? known.name ?? known.id))
        throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'not-the-name' })
      const outcome = await sentOnce('volumes.delete', () => extensions.remove(account, volume))
      if (outcome.kind === 'unknown') {
        void poller.read(account)
        return outcome
      }
      remember(memory.forget(account, volume))
      deleted.add(resourceKey(account, volume))
      show(account, [volume], (view) => ({ ...view, status: 'deleting', settling: isListed(account) }))
      return outcome
    },
  }

  const events: EventsOf<typeof volumeEvents> = {
    'volumes.changed': changes.on,
    'volumes.pendingCreationsChanged': pending.onChange,
  }

  return defineModule({
    handlers,
    events,
    onChange: changes.on,
    /** Fails with invalid-input (account). */
    snapshot,
    /** Goes on with the creations that were under way when the application ended. */
    start: pending.resume,
    async forgetAccount(account: AccountId): Promise<void> {
      await pending.forgetAccount(account)
      await memory.forgetAccount(account)
    },
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  })
}
export type Volumes = ReturnType<typeof createVolumes>
