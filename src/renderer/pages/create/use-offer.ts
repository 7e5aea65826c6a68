import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FlavorView, ImageView, MachineKind, RegionView } from '#shared/bridge/catalog'
import type { PublicKeyView } from '#shared/bridge/creation'
import type { VolumeView } from '#shared/bridge/volume'
import type { CallOutput } from '#shared/bridge/index'
import type { Failure } from '#shared/failure'
import { pricedIn } from '#shared/money/money'
import { bridge } from '../../platform/bridge'
import { useAction } from '../../components/action'
import { missingRegionsText } from '../../components/list/list-text'
import type { Offer } from './draft'

/** What there is to choose from for a new machine: the catalog of the service, and the keys of this computer. */
export function useOffer(account: AccountId, kind: MachineKind) {
  const regions = shallowRef<readonly RegionView[]>([])
  /** Why the service's own list of regions could not be read. */
  const regionsFailure = shallowRef<Failure | null>(null)
  /** Nothing names the currency of the prices. */
  const currencyAssumed = ref(false)
  const flavors = shallowRef<readonly FlavorView[]>([])
  const images = shallowRef<readonly ImageView[]>([])
  const keys = shallowRef<readonly PublicKeyView[]>([])
  const volumes = shallowRef<readonly VolumeView[]>([])

  function showRegions({ items, failure }: CallOutput<'catalog.regions'>): void {
    regions.value = items.filter((region) => region.flavors > 0)
    regionsFailure.value = failure ?? null
  }
  const readingRegions = useAction('creation.loading', async () =>
    showRegions(await bridge.call('catalog.regions', { account, kind })),
  )
  /** Of the notice that some may be missing (StaleNotice.vue). */
  const regionsNotice = computed(() => ({
    failure: null,
    asOf: null,
    busy: readingRegions.busy.value,
    incomplete: missingRegionsText(regionsFailure.value),
  }))
  async function load(): Promise<void> {
    const asked = { account, kind }
    const [places, hardware, systems, found] = await Promise.all([
      bridge.call('catalog.regions', asked),
      bridge.call('catalog.flavors', asked),
      bridge.call('catalog.images', asked),
      bridge.call('creation.keys', {}),
    ])
    flavors.value = hardware.items
    currencyAssumed.value = hardware.currencyAssumed
    images.value = systems.items
    keys.value = found
    showRegions(places)
    // A help, not a need: the name of a volume can be typed.
    if (kind === 'machine') loadVolumes().catch(() => (volumes.value = []))
  }
  // The balance, and with it the currency of the account, may come in later than the catalog.
  onScopeDispose(
    bridge.on('catalog.currencyChanged', (change) => {
      if (change.account !== account) return
      flavors.value = pricedIn(flavors.value, change.currency)
      currencyAssumed.value = change.currencyAssumed
    }),
  )
  /** What is in stock now, after the service refused what was. */
  async function reloadFlavors(): Promise<void> {
    const { items, currencyAssumed: isAssumed } = await bridge.call('catalog.flavors', {
      account,
      kind,
      fresh: true,
    })
    flavors.value = items
    currencyAssumed.value = isAssumed
  }
  async function loadVolumes(): Promise<void> {
    await bridge.call('volumes.refresh', { account })
    volumes.value = (await bridge.call('volumes.snapshot', { account })).volumes
  }
  async function loadKeys(): Promise<void> {
    keys.value = await bridge.call('creation.keys', {})
  }
  const offer = computed<Offer>(() => ({
    regions: regions.value,
    flavors: flavors.value,
    images: images.value,
    keys: keys.value,
  }))
  return {
    offer,
    currencyAssumed,
    volumes,
    load,
    loadKeys,
    reloadFlavors,
    regionsNotice,
    reloadRegions: readingRegions.run,
  }
}
