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
import { named, openMemory, rememberedOf } from './remembered-volumes'
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

/** The volumes of all accounts, and what can be done with them. */
export function createVolumes(deps: VolumesDeps) {
  const { accounts, documents, usage, extensions, regions, clock, online, report } = deps
  const { now } = clock
  const memory = openMemory(documents)
  const pending = openPendingCreations(documents, clock)
  const changes = createEmitter<VolumesChange>()
  /** Volumes that the service says it has deleted, by resource key. */
  const deleted = new Set<string>()

  /** What was done is done, also where it does not get to the disk. */
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
          // A reading that ends after the account was left must not bring back what was forgotten.
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
    // What turns up late is still recognised.
    if (change.upserts.length > 0)
      remember(pending.compare(change.account, poller.get(change.account).views()))
  }

  /** What was read before is out of date: something was changed, or the person asks. */
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

  async function types(account: AccountId, region: string): Promise<VolumeTypes> {
    try {
      const lost: UnreadableRecord[] = []
      const items = await extensions.types(account, region, (records) => lost.push(...records))
      const unreadable = unreadableView(lost)
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

  async function dismiss(account: AccountId, creation: string): Promise<void> {
    if (pending.list(account).some(({ id, state }) => id === creation && state === 'unknown'))
      await pending.settle(account, creation, null)
  }

  const snapshot = (account: AccountId): VolumesSnapshot => poller.get(account).snapshot()

  const handlers: HandlersOf<typeof volumeCalls> = {
    'volumes.snapshot': ({ account }) => snapshot(account),
    'volumes.refresh': ({ account }) => readNow(account),
    'volumes.types': ({ account, region }) => types(account, region),
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
    /** Fails with invalid-input (account). */
    snapshot,
    /** The plain text of a masked field, read anew. Fails with invalid-input (secret) and as the client does. */
    async secret(account: AccountId, id: string, path: string): Promise<string> {
      const { items } = await readAll((page) => extensions.list(account, page), pageSizes.resources)
      return volumeField(
        items.find((volume) => volume.id === id),
        path,
      )
    },
    /** Goes on with the creations that were under way when the application ended. */
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
