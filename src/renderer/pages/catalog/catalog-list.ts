import { computed, onUnmounted, ref, shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import { MachineKind } from '#shared/bridge/catalog'
import { regionKey } from '#shared/regions'
import { t } from '../../platform/i18n'
import { useAction } from '../../components/action'
import { useAccounts } from '../../stores/accounts'
import { useCatalog } from '../../stores/catalog'
import {
  findFlavors,
  findImages,
  type FlavorKey,
  flavorRow,
  type ImageKey,
  imageRow,
  inRegion,
  sortFlavors,
  sortImages,
} from './rows'

/** Milliseconds between two readings while the page is looked at: stock comes and goes. */
const refreshEvery = 60_000

/** What of the catalog is looked at, and its rows. */
export function useCatalogList() {
  const accounts = useAccounts()
  const catalog = useCatalog()
  const route = useRoute()
  const account = computed(() => accounts.selected?.id ?? null)
  const kind = ref<MachineKind>('machine')
  const list = ref<'flavors' | 'images'>('flavors')
  /** regionKey; null: all of them. */
  const region = ref<string | null>(null)
  const filter = ref('')
  const inStockOnly = ref(false)
  const flavorSorting = shallowRef<{ key: FlavorKey; descending: boolean }>({
    key: 'pricePerGpu',
    descending: false,
  })
  const imageSorting = shallowRef<{ key: ImageKey; descending: boolean }>({ key: 'name', descending: false })

  // Whoever was told that a flavor is back is led to it.
  watch(
    () => route.query,
    ({ kind: wanted, find }) => {
      const known = MachineKind.safeParse(wanted)
      if (!known.success || typeof find !== 'string') return
      kind.value = known.data
      list.value = 'flavors'
      region.value = null
      inStockOnly.value = false
      filter.value = find
    },
    { immediate: true },
  )

  const whole = computed(() => (account.value === null ? null : { account: account.value, kind: kind.value }))
  const regions = computed(() => (whole.value ? catalog.regions(whole.value) : []))
  const chosen = computed(() => regions.value.find((one) => regionKey(one) === region.value) ?? null)
  const query = computed(() => whole.value && { ...whole.value, region: chosen.value?.id ?? undefined })

  /** What the service says of the chosen region; until it has answered, what is known of it from the whole list. */
  const flavors = computed(() => {
    if (!query.value || !whole.value) return null
    const read = catalog.flavors(query.value) ?? catalog.flavors(whole.value)
    return read && { asOf: read.asOf, items: inRegion(read.items, chosen.value).map(flavorRow) }
  })
  const images = computed(() => {
    if (!query.value || !whole.value) return null
    const read = catalog.images(query.value) ?? catalog.images(whole.value)
    return read && { asOf: read.asOf, items: inRegion(read.items, chosen.value).map(imageRow) }
  })
  const current = computed(() => (list.value === 'flavors' ? flavors.value : images.value))

  const flavorRows = computed(() => {
    const found = findFlavors(flavors.value?.items ?? [], filter.value)
    const { key, descending } = flavorSorting.value
    return sortFlavors(
      inStockOnly.value ? found.filter((row) => row.flavor.inStock === true) : found,
      key,
      descending,
    )
  })
  const imageRows = computed(() => {
    const { key, descending } = imageSorting.value
    return sortImages(findImages(images.value?.items ?? [], filter.value), key, descending)
  })
  const rows = computed(() => (list.value === 'flavors' ? flavorRows.value : imageRows.value))

  const reading = useAction(t('catalog.title'), async (fresh: boolean) => {
    if (query.value) await catalog.load(query.value, list.value, fresh)
  })
  const read = async (fresh = false): Promise<void> => {
    await reading.run(fresh)
  }
  watch(
    [query, list, () => accounts.selected?.state],
    async ([wanted, what, state]) => {
      if (state !== 'signed-in') return
      await read()
      // What was asked for while another reading was under way.
      if (query.value === wanted && list.value === what && current.value === null) await read()
    },
    { immediate: true },
  )
  // Who signed out is not asked to sign in by a clock.
  const timer = setInterval(() => {
    if (accounts.selected?.state === 'signed-in') void read()
  }, refreshEvery)
  onUnmounted(() => clearInterval(timer))

  watch(whole, () => (region.value = null))
  function showAll(): void {
    filter.value = ''
    inStockOnly.value = false
  }
  function sortFlavorsBy(key: FlavorKey): void {
    const { key: present, descending } = flavorSorting.value
    flavorSorting.value = { key, descending: key === present && !descending }
  }
  function sortImagesBy(key: ImageKey): void {
    const { key: present, descending } = imageSorting.value
    imageSorting.value = { key, descending: key === present && !descending }
  }

  return {
    ...{ account, kind, list, region, regions, filter, inStockOnly, current },
    ...{ flavorRows, imageRows, rows, flavorSorting, imageSorting, sortFlavorsBy, sortImagesBy, showAll },
    ...{ read, busy: reading.busy, failure: reading.failure },
  }
}
