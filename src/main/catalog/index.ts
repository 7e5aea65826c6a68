import type { AccountId } from '#shared/bridge/account'
import type {
  catalogCalls,
  catalogEvents,
  FlavorView,
  ImageView,
  MachineKind,
  RegionView,
} from '#shared/bridge/catalog'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { type Failure, isAbsent } from '#shared/failure'
import type { UnreadableRecords } from '#shared/bridge/listing'
import type { UnreadableRecord } from '#shared/service/page'
import type { Region } from '#shared/service/region'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { createLookPoller, lookIntervalSeconds } from '../core/look-poller'
import { defineModule, type EventsOf } from '../core/module'
import { createTtlCache } from '../core/ttl-cache'
import { unreadableView } from '../core/unreadable'
import type { OnUnreadable } from '../service/read-records'
import { flavorViews, imageView, regionViews, withoutRepeats } from './views'

export interface CatalogDeps {
  readonly accounts: Pick<Accounts, 'service' | 'view'>
  readonly clock: Clock
  online?(): boolean
  /** Lists regions, a capability (service-extensions.md). Fails with not-offered-by-service. */
  listRegions?(account: AccountId, onUnreadable: OnUnreadable): Promise<readonly Region[]>
}

/** Listed items with the time of the reading (epoch seconds). */
export interface Listed<Item> {
  readonly items: Item[]
  readonly asOf: number
  readonly unreadable?: UnreadableRecords
}

/** Regions. `failure`: reason why the service's own list could not be read. */
export interface ListedRegions extends Listed<RegionView> {
  readonly failure?: Failure
}

export interface ListQuery {
  readonly account: AccountId
  readonly kind: MachineKind
  /** Whether to request the service even if it answered within the last minute. */
  readonly fresh?: boolean | undefined
  readonly region?: string | undefined
}

/** Flavors in a new answer of the service. */
export interface FlavorsRead {
  readonly query: ListQuery
  readonly flavors: readonly FlavorView[]
}

/** Runs `read` and collects the unreadable records. */
async function withUnreadable<Item>(
  read: (onUnreadable: OnUnreadable) => Promise<readonly Item[]>,
): Promise<{ readonly items: Item[]; readonly unreadable?: UnreadableRecords }> {
  const skipped: UnreadableRecord[] = []
  const items = [...(await read((records) => skipped.push(...records)))]
  const unreadable = unreadableView(skipped)
  return { items, ...(unreadable && { unreadable }) }
}

const maxAgeSeconds = 60

/**
 * Reads the flavors, images and regions for machines and bare metal. Callers share requests, and answers for a minute.
 * Fails as the client does.
 */
export function createCatalog({
  accounts,
  clock,
  online = () => true,
  listRegions = (account, onUnreadable) => accounts.service(account).regions.list(undefined, onUnreadable),
}: CatalogDeps) {
  const { now } = clock
  const flavorLists = createTtlCache<Listed<FlavorView>>(maxAgeSeconds, now)
  const imageLists = createTtlCache<Listed<ImageView>>(maxAgeSeconds, now)
  const serviceRegions = createTtlCache<Omit<Listed<Region>, 'asOf'>>(maxAgeSeconds, now)

  const flavorsRead = createEmitter<FlavorsRead>()

  const keyOf = ({ account, kind, region = '' }: ListQuery): string =>
    resourceKey(account, `${kind}/${region}`)

  const flavors = (query: ListQuery): Promise<Listed<FlavorView>> =>
    flavorLists.get(keyOf(query), query.fresh, async () => {
      const service = accounts.service(query.account)
      const list = query.kind === 'machine' ? service.flavors.list : service.bareMetal.flavors
      const read = await withUnreadable((onUnreadable) => list(query.region, undefined, onUnreadable))
      const items = withoutRepeats(flavorViews(read.items))
      flavorsRead.emit({ query, flavors: items })
      return { ...read, items, asOf: now() }
    })

  const images = (query: ListQuery): Promise<Listed<ImageView>> =>
    imageLists.get(keyOf(query), query.fresh, async () => {
      const service = accounts.service(query.account)
      const list = query.kind === 'machine' ? service.images.list : service.bareMetal.images
      const read = await withUnreadable((onUnreadable) => list(query.region, undefined, onUnreadable))
      return { ...read, items: withoutRepeats(read.items.map(imageView)), asOf: now() }
    })

  // Without the capability, flavors and images still name the regions. A failure is not cached.
  const regionsOfService = (account: AccountId, fresh: boolean | undefined) =>
    serviceRegions
      .get(resourceKey(account, ''), fresh, () =>
        withUnreadable((onUnreadable) => listRegions(account, onUnreadable)).catch((error: unknown) => {
          if (isAbsent(failureOf(error, 'catalog'))) return { items: [] }
          throw error
        }),
      )
      .catch((error: unknown) => ({ items: [], failure: failureOf(error, 'catalog') }))

  const regions = async ({ account, kind, fresh }: ListQuery): Promise<ListedRegions> => {
    const [ofFlavors, ofImages, ofService] = await Promise.all([
      flavors({ account, kind, fresh }),
      images({ account, kind, fresh }),
      regionsOfService(account, fresh),
    ])
    return {
      ...ofService,
      items: [...regionViews(ofService.items, ofFlavors.items, ofImages.items)],
      asOf: Math.min(ofFlavors.asOf, ofImages.asOf),
    }
  }

  type ShownList = Omit<EventPayload<'catalog.changed'>, 'failure'>
  const changes = createEmitter<EventPayload<'catalog.changed'>>()
  const poller = createLookPoller<ShownList>({
    clock,
    online,
    interval: lookIntervalSeconds,
    async read(query) {
      const { account, kind, region, list } = query
      // The window itself requests the data of an account that is not signed in.
      if (accounts.view().accounts.find(({ id }) => id === account)?.state !== 'signed-in') return
      try {
        await (list === 'flavors' ? flavors : images)({ account, kind, region, fresh: true })
        changes.emit({ ...query, failure: null })
      } catch (error) {
        changes.emit({ ...query, failure: failureOf(error, 'catalog') })
      }
    },
  })

  const handlers: HandlersOf<
    Pick<typeof catalogCalls, 'catalog.images' | 'catalog.regions' | 'catalog.look'>
  > = {
    'catalog.images': images,
    'catalog.regions': regions,
    'catalog.look': ({ looking, ...query }) => poller.look(query, looking),
  }
  const events: EventsOf<Pick<typeof catalogEvents, 'catalog.changed'>> = {
    'catalog.changed': changes.on,
  }
  return defineModule({
    handlers,
    events,
    forgetAccount: (account: AccountId): void => {
      for (const cache of [flavorLists, imageLists, serviceRegions])
        cache.forget((key) => isKeyOf(account, key))
    },
    flavors,
    images,
    regions,
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
    /** Emits each new answer of the service, whoever requested it. */
    onFlavors: flavorsRead.on,
  })
}
export type Catalog = ReturnType<typeof createCatalog>
