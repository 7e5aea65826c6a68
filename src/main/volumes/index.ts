import type { AccountId } from '#shared/bridge/account'
import type { RegionRef } from '#shared/bridge/catalog'
import type { HandlersOf } from '#shared/bridge/index'
import type {
  VolumeCreation,
  volumeCalls,
  VolumesChange,
  VolumeTypes,
  VolumeView,
} from '#shared/bridge/volume'
import { FailureError, failureOf } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import type { NewVolume, Volume } from '#shared/service/volume'
import type { Accounts } from '../accounts/index'
import { findCreated, nothingCreated } from '../creation/outcome'
import { volumesPace } from '../fleet/pace'
import { createPoller } from '../fleet/poller'
import type { SettingsStore } from '../store/settings'
import { type AccountVolumes, accountVolumes } from './account-volumes'
import { openMemory, unremembered } from './memory'

/** What goes beyond the specification (service-extensions.md). Both calls fail with not-offered-by-service. */
export interface VolumeExtensions {
  /** Whether the service may list volumes: false while it is known not to. */
  mayList(account: AccountId): boolean
  list(account: AccountId, page: PageQuery): Promise<Page<Volume>>
  /** Cannot be undone. */
  remove(account: AccountId, volume: string): Promise<void>
}

export interface VolumesParts {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly settings: Pick<SettingsStore, 'section'>
  readonly extensions: VolumeExtensions
  regions(account: AccountId): Promise<readonly RegionRef[]>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  online(): boolean
  /** Something that the person did not wait for failed. */
  report(action: string, error: unknown): void
}

const newView = (id: string): VolumeView => ({
  id,
  displayName: null,
  name: null,
  size: null,
  status: null,
  region: { id: null, name: null },
  bootable: null,
  attachment: { is: 'unknown' },
  description: null,
  currency: null,
  createdAt: null,
})

/** The volumes of all accounts, and what can be done with them. */
export function createVolumes(parts: VolumesParts) {
  const { accounts, settings, extensions, regions, now, after, online, report } = parts
  const memory = openMemory(settings)
  const listeners = new Set<(change: VolumesChange) => void>()
  const publish = (change: VolumesChange): void => listeners.forEach((listener) => listener(change))

  const poller = createPoller<AccountVolumes>({
    accounts,
    now,
    after,
    online,
    pace: volumesPace,
    open: (account) =>
      accountVolumes(
        account,
        {
          mayList: () => extensions.mayList(account),
          list: (page) => extensions.list(account, page),
          usage: (page) => accounts.service(account).billing.usage(page),
          regions: () => regions(account).catch(() => []),
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
        told: status === null ? null : { status, at: now() },
      })),
    )
    if (memory.typeOf(account, wanted.region_id) !== wanted.type_id)
      remember(memory.rememberType(account, wanted.region_id, wanted.type_id))
    show(account, [created.id], () => ({
      id: created.id,
      ...known,
      status,
      attachment: { is: 'detached' },
    }))
  }

  async function create(
    account: AccountId,
    volume: NewVolume,
    regionName: string | null,
  ): Promise<VolumeCreation> {
    const volumes = poller.get(account)
    const before = new Set(volumes.views().map(({ id }) => id))
    const sentAt = now()
    let created: Volume
    try {
      created = await accounts.service(account).volumes.create(volume)
    } catch (error) {
      const failure = failureOf(error, 'volumes.create')
      if (nothingCreated(failure)) throw error
      await poller.read(account)
      const candidates = volumes.views().map(({ id, displayName, createdAt }) => ({
        id,
        name: displayName ?? '',
        started_time: createdAt,
      }))
      const finding = findCreated({ name: volume.display_name, sentAt, before }, candidates)
      return finding.kind === 'created'
        ? { is: 'found', volume: finding.machine }
        : { is: 'unknown', failure }
    }
    keepCreated(account, volume, regionName, created)
    return { is: 'created', volume: created.id }
  }

  async function types(account: AccountId, region: string): Promise<VolumeTypes> {
    try {
      const items = await accounts.service(account).volumeTypes.list(region)
      return { offered: true, items: items.map(({ id, name }) => ({ id, name })) }
    } catch (error) {
      if (failureOf(error, 'volumes.types').kind !== 'not-offered-by-service') throw error
      const typed = memory.typeOf(account, region)
      return { offered: false, items: typed === undefined ? [] : [{ id: typed, name: typed }] }
    }
  }

  const handlers: HandlersOf<typeof volumeCalls> = {
    'volumes.snapshot': ({ account }) => poller.get(account).snapshot(),
    'volumes.refresh': ({ account }) => poller.read(account),
    'volumes.types': ({ account, region }) => types(account, region),
    'volumes.create': ({ account, volume, regionName }) => create(account, volume, regionName),
    'volumes.attach': async ({ account, machine, volumes }) => {
      await accounts.service(account).volumes.attach(machine, { volume_ids: volumes })
      const attachment = { machine, at: now() }
      remember(memory.update(account, volumes, (known) => ({ ...known, attachment, told: null })))
      const listed = poller.get(account).snapshot().status.listed === true
      show(account, volumes, (view) => ({
        ...view,
        status: listed ? 'attaching' : null,
        attachment: { is: 'attached', machine },
      }))
    },
    'volumes.detach': async ({ account, machine, volume }) => {
      const told = await accounts.service(account).volumes.detach(machine, volume)
      const status = told.find(({ volume_id }) => volume_id === volume)?.status || null
      const done = {
        attachment: { machine: null, at: now() },
        told: status === null ? null : { status, at: now() },
      }
      remember(memory.update(account, [volume], (known) => ({ ...known, ...done })))
      show(account, [volume], (view) => ({ ...view, status, attachment: { is: 'detached' } }))
    },
    'volumes.delete': async ({ account, volume }) => {
      if (!poller.get(account).view(volume))
        throw new FailureError({ kind: 'invalid-input', field: 'volume', reason: 'unknown' })
      await extensions.remove(account, volume)
      remember(memory.forget(account, volume))
      show(account, [volume], (view) => ({ ...view, status: 'deleting' }))
    },
  }

  return {
    handlers,
    onChange(listener: (change: VolumesChange) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forgetAccount: memory.forgetAccount,
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  }
}
export type Volumes = ReturnType<typeof createVolumes>
