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
import { useAccounts } from './accounts'
import { usePerAccount, useResourceMap } from './per-account'
import { useSignIn } from './sign-in'

/** What was read, and when (epoch seconds). */
interface Listed<Item> {
  readonly items: readonly Item[]
  readonly asOf: number
  readonly unreadable?: UnreadableRecords | undefined
}

/** `currencyAssumed`: nothing names the currency of the prices. */
interface ListedFlavors extends Listed<FlavorView> {
  readonly currencyAssumed: boolean
}

/** `failure`: why the service's own list of regions could not be read. */
interface ListedRegions extends Listed<RegionView> {
  readonly failure?: Failure | undefined
}

/** Whose catalog, and which of the two. */
export interface WholeCatalog {
  readonly account: AccountId
  readonly kind: MachineKind
  /** An id, whose entries alone the service is then asked for. */
  readonly region?: string | undefined
}
/** One list of a catalog. */
export interface CatalogQuery extends WholeCatalog {
  readonly list: 'flavors' | 'images'
}

const keyOf = ({ account, kind, region = '' }: WholeCatalog): string =>
  resourceKey(account, `${kind}/${region}`)
const listKeyOf = ({ account, list, kind, region = '' }: CatalogQuery): string =>
  resourceKey(account, `${list}/${kind}/${region}`)
const none: readonly FlavorWatch[] = []

/** What the service offers as last read, and the flavors that the person waits for. */
export const useCatalog = defineStore('catalog', () => {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const flavorLists = useResourceMap<ListedFlavors>()
  const imageLists = useResourceMap<Listed<ImageView>>()
  const regionLists = useResourceMap<ListedRegions>()
  const { values: watched, follow } = usePerAccount<readonly FlavorWatch[]>('catalog.watches', (account) =>
    bridge.call('catalog.watches', { account }),
  )

  const flavors = (query: WholeCatalog): ListedFlavors | null => flavorLists.get(keyOf(query)) ?? null
  const images = (query: WholeCatalog): Listed<ImageView> | null => imageLists.get(keyOf(query)) ?? null
  const regions = ({ account, kind }: WholeCatalog): readonly RegionView[] =>
    regionLists.get(keyOf({ account, kind }))?.items ?? []

  const regionsFailure = ({ account, kind }: WholeCatalog): Failure | null =>
    regionLists.get(keyOf({ account, kind }))?.failure ?? null

  /** What could not be read of one list, and of the regions. */
  function unreadable(query: CatalogQuery): UnreadableRecords | undefined {
    const list = query.list === 'flavors' ? flavors(query) : images(query)
    const ofRegions = regionLists.get(keyOf({ account: query.account, kind: query.kind }))
    const lost = [list, ofRegions].flatMap((one) => one?.unreadable ?? [])
    if (lost.length === 0) return undefined
    return {
      count: lost.reduce((count, one) => count + one.count, 0),
      text: lost.map(({ text }) => text).join('\n'),
    }
  }

  /** Why the last reading of a list failed. */
  const failures = useResourceMap<Failure>()
  const failure = (query: CatalogQuery): Failure | null => failures.get(listKeyOf(query)) ?? null
  const keepFailure = (query: CatalogQuery, reason: Failure | null): void => {
    if (reason === null || reason.kind === 'cancelled') failures.delete(listKeyOf(query))
    else failures.set(listKeyOf(query), reason)
  }

  /** `fresh`: not what was read within the last minute. Where it fails, `failure` says why. */
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

  const watches = computed(() => (accounts.selected ? (watched.get(accounts.selected.id) ?? none) : none))
  const isWatched = (kind: MachineKind, { id, region }: FlavorView): boolean =>
    watches.value.some(
      (one) => one.kind === kind && one.flavor === id && sameRegion(one.region, region) !== false,
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

  /** Flavors that came back since the window opened, the last one at the end. */
  const restocked = shallowRef<readonly FlavorWatch[]>([])

  /** Subscribes first, then reads. */
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
