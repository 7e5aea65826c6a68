import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type {
  FlavorView,
  FlavorWatch,
  ImageView,
  MachineKind,
  RegionRef,
  RegionView,
} from '#shared/bridge/catalog'
import type { UnreadableRecords } from '#shared/bridge/listing'
import { type Failure, failureOf } from '#shared/failure'
import { sameRegion } from '#shared/regions'
import { pricedIn } from '#shared/money/money'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { t } from '../platform/i18n'
import { usePerAccount, useResourceMap, useSelected } from './per-account'
import { useSignIn } from './sign-in'

interface Listed<Item> {
  readonly items: readonly Item[]
  /** Epoch seconds of the reading. */
  readonly asOf: number
  readonly unreadable?: UnreadableRecords | undefined
}

interface ListedFlavors extends Listed<FlavorView> {
  /** True if the service names no currency for its prices. */
  readonly currencyAssumed: boolean
}

interface ListedRegions extends Listed<RegionView> {
  /** Failure to read the service's own list of regions. */
  readonly failure?: Failure | undefined
}

export interface WholeCatalog {
  readonly account: AccountId
  readonly kind: MachineKind
  /** A region's id, which limits the request to that region. */
  readonly region?: string | undefined
}
export interface CatalogQuery extends WholeCatalog {
  readonly list: 'flavors' | 'images'
}

const keyOf = ({ account, kind, region = '' }: WholeCatalog): string =>
  resourceKey(account, `${kind}/${region}`)
const listKeyOf = ({ account, list, kind, region = '' }: CatalogQuery): string =>
  resourceKey(account, `${list}/${kind}/${region}`)

/** Catalogs as last read, and the flavors that the user watches. */
export const useCatalog = defineStore('catalog', () => {
  const signIn = useSignIn()
  const flavorLists = useResourceMap<ListedFlavors>()
  const imageLists = useResourceMap<Listed<ImageView>>()
  const regionLists = useResourceMap<ListedRegions>()
  const { values: watched, follow } = usePerAccount<readonly FlavorWatch[]>('catalog.watches', (account) =>
    bridge.call('catalog.watches', { account }),
  )

  const flavors = (query: WholeCatalog): ListedFlavors | null => flavorLists.get(keyOf(query)) ?? null
  const images = (query: WholeCatalog): Listed<ImageView> | null => imageLists.get(keyOf(query)) ?? null
  const regionList = ({ account, kind }: WholeCatalog) => regionLists.get(keyOf({ account, kind }))
  const regions = (query: WholeCatalog): readonly RegionView[] => regionList(query)?.items ?? []
  const regionsFailure = (query: WholeCatalog): Failure | null => regionList(query)?.failure ?? null

  function unreadable(query: CatalogQuery): UnreadableRecords | undefined {
    const list = query.list === 'flavors' ? flavors(query) : images(query)
    const records = [list, regionList(query)].flatMap((source) => source?.unreadable ?? [])
    if (records.length === 0) return undefined
    return {
      count: records.reduce((sum, { count }) => sum + count, 0),
      text: records.map(({ text }) => text).join('\n'),
    }
  }

  const failures = useResourceMap<Failure>()
  const failure = (query: CatalogQuery): Failure | null => failures.get(listKeyOf(query)) ?? null
  const keepFailure = (query: CatalogQuery, reason: Failure | null): void => {
    if (reason === null || reason.kind === 'cancelled') failures.delete(listKeyOf(query))
    else failures.set(listKeyOf(query), reason)
  }

  /** Reads a list; `failure` reports errors. `fresh` bypasses main's cache of one minute. */
  async function load(query: CatalogQuery, fresh = false): Promise<void> {
    try {
      await read(query, fresh)
      keepFailure(query, null)
    } catch (error) {
      keepFailure(query, failureOf(error, t('catalog.title')))
    }
  }
  async function read(query: CatalogQuery, fresh: boolean): Promise<void> {
    const { account, kind, region, list } = query
    const input = { account, kind, fresh, ...(region === undefined ? {} : { region }) }
    await signIn.withReauthentication(account, async () => {
      const ofRegion =
        list === 'flavors'
          ? bridge.call('catalog.flavors', input).then((read) => flavorLists.set(keyOf(query), read))
          : bridge.call('catalog.images', input).then((read) => imageLists.set(keyOf(query), read))
      const all = bridge
        .call('catalog.regions', { account, kind })
        .then((read) => regionLists.set(keyOf({ account, kind }), read))
      await Promise.all([ofRegion, all])
    })
  }

  bridge.on('catalog.changed', ({ failure: reason, ...query }) => {
    if (reason) keepFailure(query, reason)
    else void load(query)
  })
  bridge.on('catalog.currencyChanged', ({ account, currency, currencyAssumed }) => {
    for (const [key, list] of flavorLists)
      if (isKeyOf(account, key))
        flavorLists.set(key, { ...list, items: pricedIn(list.items, currency), currencyAssumed })
  })
  const look = (query: CatalogQuery, looking: boolean): Promise<void> =>
    bridge.call('catalog.look', { ...query, looking })

  const selectedWatches = useSelected(watched)
  const watches = computed(() => selectedWatches.value ?? [])
  const isWatched = (kind: MachineKind, { id, region }: FlavorView): boolean =>
    watches.value.some(
      (watch) => watch.kind === kind && watch.flavor === id && sameRegion(watch.region, region) !== false,
    )

  async function setWatched(
    account: AccountId,
    kind: MachineKind,
    flavor: { readonly id: string; readonly region: RegionRef },
    on: boolean,
  ): Promise<void> {
    const { id, region } = flavor
    const input = { account, kind, flavor: id, region, watched: on }
    watched.set(
      account,
      await signIn.withReauthentication(account, () => bridge.call('catalog.watch', input)),
    )
  }

  /** Watched flavors that came back into stock since the window opened, oldest first. */
  const restocked = shallowRef<readonly FlavorWatch[]>([])

  function start(): void {
    bridge.on('catalog.watchesChanged', (change) => {
      watched.set(change.account, change.watches)
      restocked.value = [...restocked.value, ...change.restocked]
    })
    follow()
  }

  return {
    flavors,
    images,
    regions,
    regionsFailure,
    unreadable,
    failure,
    load,
    look,
    watches,
    isWatched,
    setWatched,
    restocked,
    start,
  }
})
