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

/** Loads the options of a new machine: the service's catalog and this computer's keys. */
export function useOffer(account: AccountId, kind: MachineKind) {
  const regions = shallowRef<readonly RegionView[]>([])
  const regionsFailure = shallowRef<Failure | null>(null)
  const currencyAssumed = ref(false)
  const flavors = shallowRef<readonly FlavorView[]>([])
  const images = shallowRef<readonly ImageView[]>([])
  const keys = shallowRef<readonly PublicKeyView[]>([])
  const volumes = shallowRef<readonly VolumeView[]>([])
  const areVolumesKnown = ref(false)
  let readingVolumes: Promise<boolean> = Promise.resolve(false)

  function showRegions({ items, failure }: CallOutput<'catalog.regions'>): void {
    regions.value = items.filter((region) => region.flavors > 0)
    regionsFailure.value = failure ?? null
  }
  const readingRegions = useAction('creation.loading', async () =>
    showRegions(await bridge.call('catalog.regions', { account, kind })),
  )
  const regionsNotice = computed(() => ({
    failure: null,
    asOf: null,
    busy: readingRegions.busy.value,
    incomplete: missingRegionsText(regionsFailure.value),
  }))
  async function load(): Promise<void> {
    const query = { account, kind }
    const [regionList, flavorList, imageList] = await Promise.all([
      bridge.call('catalog.regions', query),
      bridge.call('catalog.flavors', query),
      bridge.call('catalog.images', query),
      loadKeys(),
    ])
    flavors.value = flavorList.items
    currencyAssumed.value = flavorList.currencyAssumed
    images.value = imageList.items
    showRegions(regionList)
    // Optional: the user can type the name of a volume.
    if (kind === 'machine') readingVolumes = loadVolumes()
  }
  // The account's currency may become known after the catalog is loaded.
  onScopeDispose(
    bridge.on('catalog.currencyChanged', (change) => {
      if (change.account !== account) return
      flavors.value = pricedIn(flavors.value, change.currency)
      currencyAssumed.value = change.currencyAssumed
    }),
  )
  /** Reloads the stock, after the service rejected a flavor. */
  async function reloadFlavors(): Promise<void> {
    const { items, currencyAssumed: isAssumed } = await bridge.call('catalog.flavors', {
      account,
      kind,
      fresh: true,
    })
    flavors.value = items
    currencyAssumed.value = isAssumed
  }
  /** Returns whether the volumes could be read. */
  async function loadVolumes(): Promise<boolean> {
    try {
      await bridge.call('volumes.refresh', { account })
      volumes.value = (await bridge.call('volumes.snapshot', { account })).volumes
      areVolumesKnown.value = true
    } catch {
      volumes.value = []
    }
    return areVolumesKnown.value
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
    areVolumesKnown,
    volumesRead: () => readingVolumes,
    load,
    loadKeys,
    reloadFlavors,
    regionsNotice,
    reloadRegions: readingRegions.run,
  }
}
