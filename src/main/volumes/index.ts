import type { AccountId } from '#shared/bridge/account'
import type { RegionRef } from '#shared/bridge/catalog'
import type { HandlersOf } from '#shared/bridge/index'
import type {
  volumeCalls,
  volumeEvents,
  VolumesChange,
  VolumesSnapshot,
  VolumeTypes,
} from '#shared/bridge/volume'
import { isAbsent } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'
import { resourceKey } from '#shared/resource-key'
import type { UnreadableRecord } from '#shared/service/page'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { MonotonicClock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { volumesPollInterval } from '../core/poll-interval'
import { createPoller } from '../core/poller'
import { readAll } from '../core/read-all-pages'
import type { ReportError } from '../core/report-error'
import { unreadableView } from '../core/unreadable'
import type { AccountsUsage } from '../usage/index'
import type { Sections } from '../store/settings'
import { type AccountVolumes, accountVolumes } from './account-volumes'
import { createVolumeActions } from './actions'
import { createVolumeCreation } from './create'
import { named, openMemory, rememberedOf, type VolumeMemory } from './remembered-volumes'
import type { VolumeExtensions } from './extensions'
import { openPendingCreations } from './pending-creations'
import { volumeField } from './views'

export interface VolumesDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly documents: Sections
  readonly usage: Pick<AccountsUsage, 'read' | 'expire'>
  readonly extensions: VolumeExtensions
  regions(account: AccountId): Promise<readonly RegionRef[]>
  readonly clock: MonotonicClock
  online(): boolean
  readonly report: ReportError
}

/** Returns the volume types of a region: from the service, or the type that the user entered last. */
async function volumeTypes(
  extensions: VolumeExtensions,
  memory: VolumeMemory,
  account: AccountId,
  region: string,
): Promise<VolumeTypes> {
  try {
    const skipped: UnreadableRecord[] = []
    const items = await extensions.types(account, region, (records) => skipped.push(...records))
    const unreadable = unreadableView(skipped)
    return {
      offered: true,
      items: items.map(({ id, name }) => ({ id, name })),
      ...(unreadable && { unreadable }),
    }
  } catch (error) {
    if (!isAbsent(failureOf(error, 'volumes.types'))) throw error
    const typed = memory.typeOf(account, region)
    return { offered: false, items: typed === undefined ? [] : [{ id: typed, name: typed }] }
  }
}

/** Reads the plain text of a masked field. Fails with invalid-input (secret) and as the client does. */
async function readSecret(
  extensions: VolumeExtensions,
  account: AccountId,
  id: string,
  path: string,
): Promise<string> {
  const { items } = await readAll((page) => extensions.list(account, page), pageSizes.resources)
  return volumeField(
    items.find((volume) => volume.id === id),
    path,
  )
}

export function createVolumes(deps: VolumesDeps) {
  const { accounts, documents, usage, extensions, regions, clock, online, report } = deps
  const { now } = clock
  const memory = openMemory(documents)
  const pending = openPendingCreations(documents, clock)
  const changes = createEmitter<VolumesChange>()
  /** Resource keys of the volumes whose deletion the service confirmed. */
  const deleted = new Set<string>()

  /** Reports a failed write. The action itself has succeeded. */
  const remember = (written: Promise<void>): void =>
    void written.catch((error: unknown) => report('volumes.remember', error))

  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.some(({ id, state }) => id === account && state === 'signed-in')

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
          usage: (expected) => usage.read(account, { everything: false, expected }),
          regions: () => regions(account).catch(() => []),
          expected: () => pending.expected(account),
          wasDeleted: (id) => deleted.has(resourceKey(account, id)),
          remembered: () => memory.volumes(account),
          // A late reading must not restore the data of a forgotten account.
          remember: (remembered) => {
            if (isSignedIn(account)) remember(memory.replace(account, remembered))
          },
        },
        clock,
        publish,
      ),
  })

  function publish(change: VolumesChange): void {
    changes.emit(change)
    // A created volume may turn up late.
    if (change.upserts.length > 0)
      remember(pending.compare(change.account, poller.get(change.account).views()))
  }

  /** Reads without the cached usage, after a change or on request. */
  function readNow(account: AccountId): Promise<void> {
    usage.expire(account)
    return poller.read(account)
  }

  memory.onLoad(() => {
    for (const { id } of accounts.view().accounts) {
      const volumes = poller.find(id)
      volumes?.showNames(
        volumes.views().map((view) => named(view, rememberedOf(memory.volumes(id), view.id))),
      )
    }
  })

  const actions = createVolumeActions({
    accounts,
    extensions,
    memory,
    deleted,
    clock,
    remember,
    of: poller.get,
    find: poller.find,
    read: readNow,
  })

  const { create } = createVolumeCreation({
    pending,
    now,
    report,
    post: (account, volume) => accounts.service(account).volumes.create(volume),
    async read(account) {
      const volumes = poller.get(account)
      await readNow(account)
      return { views: volumes.views(), ...volumes.baseline(), failure: volumes.failure() }
    },
    keep: actions.keepCreated,
  })

  async function dismiss(account: AccountId, creation: string): Promise<void> {
    if (pending.list(account).some(({ id, state }) => id === creation && state === 'unknown'))
      await pending.settle(account, creation, null)
  }

  const handlers: HandlersOf<typeof volumeCalls> = {
    'volumes.snapshot': ({ account }) => poller.get(account).snapshot(),
    'volumes.refresh': ({ account }) => readNow(account),
    'volumes.types': ({ account, region }) => volumeTypes(extensions, memory, account, region),
    'volumes.create': create,
    'volumes.pendingCreations': ({ account, names }) => pending.list(account, names),
    'volumes.dismiss': ({ account, creation }) => dismiss(account, creation),
    'volumes.attach': ({ account, machine, volumes }) => actions.attach(account, machine, volumes),
    'volumes.detach': ({ account, machine, volume }) => actions.detach(account, machine, volume),
    'volumes.lookUp': ({ account, machine, volumes, wanted }) =>
      actions.lookUp(account, machine, volumes, wanted),
    'volumes.delete': ({ account, volume, name, detachFrom }) =>
      actions.remove(account, volume, name, detachFrom),
  }

  const events: EventsOf<typeof volumeEvents> = {
    'volumes.changed': changes.on,
    'volumes.pendingCreationsChanged': pending.onChange,
  }

  return defineModule({
    handlers,
    events,
    onChange: changes.on,
    attach: actions.attach,
    lookUp: actions.lookUp,
    /** Fails with invalid-input (account). */
    snapshot: (account: AccountId): VolumesSnapshot => poller.get(account).snapshot(),
    secret: (account: AccountId, id: string, path: string): Promise<string> =>
      readSecret(extensions, account, id, path),
    /** Resumes the creations that were interrupted by the end of the application. */
    start: pending.resume,
    async forgetAccount(account: AccountId): Promise<void> {
      await pending.forgetAccount(account)
      await memory.forgetAccount(account)
    },
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close() {
      actions.close()
      poller.close()
    },
  })
}
export type Volumes = ReturnType<typeof createVolumes>
