import { computed, ref, shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import { z } from 'zod'
import { MachineKind } from '#shared/bridge/catalog'
import { regionKey } from '#shared/regions'
import { useAction } from '../../components/action'
import { missingRegionsText } from '../../components/list/list-text'
import { rememberSorting, useListView } from '../../components/list/list-view'
import { useResourceList } from '../../components/list/resource-list'
import type { Sorting } from '../../components/rows'
import { useAccounts } from '../../stores/accounts'
import { useCatalog } from '../../stores/catalog'
import { useLooking } from '../../stores/in-view'
import { useResuming } from '../../stores/resuming'
import { flavorColumns, imageColumns } from './columns'
import { type CatalogKey, type CatalogRow, catalogRows, flavorRow, imageRow, inRegion } from './rows'

export function useCatalogList() {
  const accounts = useAccounts()
  const catalog = useCatalog()
  const route = useRoute()
  const view = useListView(
    'catalog',
    computed(() => accounts.selected?.id ?? null),
  )
  const chosenKind = ref<MachineKind>('machine')
  view.remember('kind', chosenKind, MachineKind)
  const entryKind = ref<'flavors' | 'images'>('flavors')
  view.remember('entryKind', entryKind, z.enum(['flavors', 'images']))
  /** regionKey; null: all regions. */
  const region = ref<string | null>(null)
  view.remember('region', region, z.string().nullable())
  /** Machines and bare metal have their own regions. */
  const kind = computed({
    get: () => chosenKind.value,
    set(next) {
      chosenKind.value = next
      region.value = null
    },
  })

  const whole = computed(() =>
    accounts.selected ? { account: accounts.selected.id, kind: kind.value } : null,
  )
  const regions = computed(() => (whole.value ? catalog.regions(whole.value) : []))
  const missingRegions = computed(() =>
    missingRegionsText(whole.value && catalog.regionsFailure(whole.value)),
  )
  const chosen = computed(() => regions.value.find((view) => regionKey(view) === region.value) ?? null)
  const query = computed(
    () => whole.value && { ...whole.value, list: entryKind.value, region: chosen.value?.id ?? undefined },
  )

  // The list of the chosen region; until it is loaded, the region's part of the whole list.
  const flavors = computed(
    () => query.value && whole.value && (catalog.flavors(query.value) ?? catalog.flavors(whole.value)),
  )
  const images = computed(
    () => query.value && whole.value && (catalog.images(query.value) ?? catalog.images(whole.value)),
  )
  const current = computed((): { readonly rows: readonly CatalogRow[]; readonly asOf: number } | null => {
    if (entryKind.value === 'images') {
      const { value: list } = images
      return list && { asOf: list.asOf, rows: inRegion(list.items, chosen.value).map(imageRow) }
    }
    const { value: list } = flavors
    return list && { asOf: list.asOf, rows: inRegion(list.items, chosen.value).map(flavorRow) }
  })

  /** Currency that prices are assumed to be in; null if the service reports it. */
  const assumedCurrency = computed(() => {
    const priced = flavors.value?.currencyAssumed
      ? flavors.value.items.find(({ price }) => price !== null)
      : undefined
    return priced?.price?.currency ?? null
  })

  const unreadable = computed(() => query.value && catalog.unreadable(query.value))

  const sortings = {
    flavors: shallowRef<Sorting<CatalogKey>>({ key: 'pricePerGpu', descending: false }),
    images: shallowRef<Sorting<CatalogKey>>({ key: 'name', descending: false }),
  }
  rememberSorting(view, 'flavorSorting', sortings.flavors, () => flavorColumns(kind.value))
  rememberSorting(view, 'imageSorting', sortings.images, imageColumns)
  const list = useResourceList<CatalogRow, CatalogKey, 'in-stock' | 'others'>({
    name: 'catalog',
    all: () => current.value?.rows ?? [],
    find: (id) => current.value?.rows.find((row) => row.id === id),
    asOf: () => current.value?.asOf ?? null,
    failure: () => (query.value ? catalog.failure(query.value) : null),
    model: catalogRows,
    sorting: computed({
      get: () => sortings[entryKind.value].value,
      set: (sorting) => (sortings[entryKind.value].value = sorting),
    }),
    groups: {
      of: (row) => ['flavor' in row && row.flavor.inStock === true ? 'in-stock' : 'others'],
      order: () => ['in-stock', 'others'],
    },
  })
  const inStockOnly = ref(false)
  view.remember('inStockOnly', inStockOnly, z.boolean())
  watch([inStockOnly, entryKind], ([only, newKind]) =>
    list.setGroup(only && newKind === 'flavors' ? 'in-stock' : null),
  )
  watch(list.group, (group) => {
    if (group === null && entryKind.value === 'flavors') inStockOnly.value = false
  })

  // A notification about stock opens this page with a kind and a filter.
  watch(
    () => route.query,
    ({ kind: queryKind, find }) => {
      const parsed = MachineKind.safeParse(queryKind)
      if (!parsed.success || typeof find !== 'string') return
      kind.value = parsed.data
      entryKind.value = 'flavors'
      inStockOnly.value = false
      list.setFilter(find)
    },
    { immediate: true },
  )

  const reading = useAction('catalog.title', async (fresh: boolean) => {
    if (query.value) await catalog.load(query.value, fresh)
  })
  // Null while signed out, so that the user is not asked to sign in repeatedly.
  const readable = computed(() => (accounts.selected?.state === 'signed-in' ? query.value : null))
  watch(readable, (now) => now && void catalog.load(now), { immediate: true })
  useLooking(() => readable.value, catalog.look)
  useResuming({
    account: () => query.value?.account ?? null,
    failure: () => query.value && catalog.failure(query.value),
    read: () => reading.run(false),
  })

  return {
    kind,
    entryKind,
    region,
    regions,
    missingRegions,
    list,
    inStockOnly,
    assumedCurrency,
    unreadable,
    refresh: () => reading.run(true),
    busy: reading.busy,
  }
}
