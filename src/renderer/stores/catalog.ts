import { defineStore } from 'pinia'
import { computed, shallowReactive, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type {
  FlavorView,
  FlavorWatch,
  ImageView,
  MachineKind,
  RegionRef,
  RegionView,
} from '#shared/bridge/catalog'
import { sameRegion } from '#shared/regions'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { useSignIn } from './sign-in'

/** What was read, and when (epoch seconds). */
interface Listed<Item> {
  readonly items: readonly Item[]
  readonly asOf: number
}

/** A part of the catalog. `region`: an id, whose entries alone the service is then asked for. */
export interface CatalogQuery {
  readonly account: AccountId
  readonly kind: MachineKind
  readonly region?: string | undefined
}

const keyOf = ({ account, kind, region = '' }: CatalogQuery): string => `${account}/${kind}/${region}`
const none: readonly FlavorWatch[] = []

/** What the service offers as last read, and the flavors that the person waits for. */
export const useCatalog = defineStore('catalog', () => {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const flavorLists = shallowReactive(new Map<string, Listed<FlavorView>>())
  const imageLists = shallowReactive(new Map<string, Listed<ImageView>>())
  const regionLists = shallowReactive(new Map<string, Listed<RegionView>>())
  const watched = shallowReactive(new Map<AccountId, readonly FlavorWatch[]>())

  const flavors = (query: CatalogQuery): Listed<FlavorView> | null => flavorLists.get(keyOf(query)) ?? null
  const images = (query: CatalogQuery): Listed<ImageView> | null => imageLists.get(keyOf(query)) ?? null
  const regions = ({ account, kind }: CatalogQuery): readonly RegionView[] =>
    regionLists.get(keyOf({ account, kind }))?.items ?? []

  /** `fresh`: not what was read within the last minute. */
  async function load(query: CatalogQuery, list: 'flavors' | 'images', fresh = false): Promise<void> {
    const { account, kind, region } = query
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

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('catalog.watchesChanged', (change) => {
      watched.set(change.account, change.watches)
      restocked.value = [...restocked.value, ...change.restocked]
    })
    watch(
      () => accounts.all.map(({ id }) => id),
      async (ids) => {
        for (const account of ids) {
          if (watched.has(account)) continue
          const told = await bridge.call('catalog.watches', { account }).catch(() => null)
          // What was heard meanwhile is newer.
          if (told && !watched.has(account)) watched.set(account, told)
        }
      },
      { immediate: true },
    )
  }

  return { flavors, images, regions, load, watches, isWatched, setWatched, restocked, start }
})
