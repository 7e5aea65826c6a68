import type { AccountId } from '#shared/bridge/account'
import type { catalogCalls, FlavorView, ImageView, MachineKind, RegionView } from '#shared/bridge/catalog'
import type { HandlersOf } from '#shared/bridge/index'
import type { Region } from '#shared/service/region'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '../core/emitter'
import { defineModule } from '../core/module'
import { ttlCache } from '../core/ttl-cache'
import { flavorViews, imageView, regionViews } from './views'

export interface CatalogDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly clock: Clock
  /** A capability (service-extensions.md). Fails with not-offered-by-service. */
  listRegions?(account: AccountId): Promise<readonly Region[]>
}

/** What was read, and when (epoch seconds). */
export interface Listed<Item> {
  readonly items: Item[]
  readonly asOf: number
}

export interface ListQuery {
  readonly account: AccountId
  readonly kind: MachineKind
  /** Asks the service even where it was asked within the last minute. */
  readonly fresh?: boolean | undefined
  /** A region's id. */
  readonly region?: string | undefined
}

/** Flavors that the service has just answered. */
export interface FlavorsRead {
  readonly query: ListQuery
  readonly flavors: readonly FlavorView[]
}

/** Seconds that an answer counts as the present one. */
const lifetime = 60

/**
 * What the service offers, for machines and bare metal. Whoever asks for the same thing shares one request, and its
 * answer for a minute. Fails as the client does.
 */
export function createCatalog({
  accounts,
  clock,
  listRegions = (account) => accounts.service(account).regions.list(),
}: CatalogDeps) {
  const { now } = clock
  const flavorLists = ttlCache<Listed<FlavorView>>(lifetime, now)
  const imageLists = ttlCache<Listed<ImageView>>(lifetime, now)
  const serviceRegions = ttlCache<readonly Region[]>(lifetime, now)

  const flavorsRead = createEmitter<FlavorsRead>()

  const keyOf = ({ account, kind, region = '' }: ListQuery): string => `${account}/${kind}/${region}`

  const flavors = (query: ListQuery): Promise<Listed<FlavorView>> =>
    flavorLists.get(keyOf(query), query.fresh, async () => {
      const service = accounts.service(query.account)
      const list = query.kind === 'machine' ? service.flavors.list : service.bareMetal.flavors
      const items = [...flavorViews(await list(query.region))]
      flavorsRead.emit({ query, flavors: items })
      return { items, asOf: now() }
    })

  const images = (query: ListQuery): Promise<Listed<ImageView>> =>
    imageLists.get(keyOf(query), query.fresh, async () => {
      const service = accounts.service(query.account)
      const list = query.kind === 'machine' ? service.images.list : service.bareMetal.images
      return { items: (await list(query.region)).map(imageView), asOf: now() }
    })

  // A capability (service-extensions.md): without it, flavors and images still name the regions.
  const regionsOfService = (account: AccountId, fresh: boolean | undefined): Promise<readonly Region[]> =>
    serviceRegions.get(`${account}/`, fresh, () => listRegions(account).catch(() => []))

  const regions = async ({ account, kind, fresh }: ListQuery): Promise<Listed<RegionView>> => {
    const [ofFlavors, ofImages, ofService] = await Promise.all([
      flavors({ account, kind, fresh }),
      images({ account, kind, fresh }),
      regionsOfService(account, fresh),
    ])
    return {
      items: [...regionViews(ofService, ofFlavors.items, ofImages.items)],
      asOf: Math.min(ofFlavors.asOf, ofImages.asOf),
    }
  }

  const handlers: HandlersOf<
    Pick<typeof catalogCalls, 'catalog.flavors' | 'catalog.images' | 'catalog.regions'>
  > = {
    'catalog.flavors': flavors,
    'catalog.images': images,
    'catalog.regions': regions,
  }
  return defineModule({
    handlers,
    events: {},
    forgetAccount: (account: AccountId): void => {
      for (const cache of [flavorLists, imageLists, serviceRegions])
        cache.forget((key) => key.startsWith(`${account}/`))
    },
    flavors,
    images,
    regions,
    /** What the service answers, whoever asked. */
    onFlavors: flavorsRead.on,
  })
}
export type Catalog = ReturnType<typeof createCatalog>
