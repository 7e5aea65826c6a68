import type { FlavorView, ImageView, RegionRef, RegionView } from '#shared/bridge/catalog'
import { defaultCurrency, moneyFromNumber } from '#shared/money/money'
import { regionKey, sameRegion } from '#shared/regions'
import { type Flavor, type FlavorGroup, gpuName } from '#shared/service/flavor'
import { fullGpuNames } from '#shared/service/gpu-spec'
import type { Image } from '#shared/service/image'
import type { Region } from '#shared/service/region'
import { textOrder } from '#shared/locale'

const flavorView = (flavor: Flavor, group: FlavorGroup): FlavorView => ({
  id: flavor.id,
  name: flavor.name,
  region: {
    id: (flavor.region_id ?? group.region_id) || null,
    name: (flavor.region_name ?? group.region) || null,
  },
  price: typeof flavor.price === 'number' ? moneyFromNumber(flavor.price, defaultCurrency) : null,
  cpu: flavor.cpu ?? null,
  ram: flavor.ram ?? null,
  disk: flavor.disk ?? null,
  ephemeral: flavor.ephemeral ?? null,
  gpu: gpuName(flavor.gpu),
  gpuCount: flavor.gpu_count ?? null,
  bandwidth: flavor.bandwidth || null,
  inStock: flavor.stock_available ?? null,
  cycle: flavor.cycle || null,
})

/** Returns a test of whether an offer is a flavor in a region. An unknown region matches every region. */
export const isOfferOf =
  ({ flavor, region }: { readonly flavor: string; readonly region: RegionRef }) =>
  (offer: FlavorView): boolean =>
    offer.id === flavor && sameRegion(offer.region, region) !== false

/** Removes repeated offers; the first one stays. */
export function withoutRepeats<Offer extends { readonly id: string; readonly region: RegionRef }>(
  offers: readonly Offer[],
): Offer[] {
  const known = new Set<string>()
  return offers.filter(({ id, region }) => {
    const key = `${id} ${regionKey(region) ?? ''}`
    return !known.has(key) && known.add(key)
  })
}

/** Returns the flavors of all groups. Missing regions come from the group. */
export function flavorViews(groups: readonly FlavorGroup[]): readonly FlavorView[] {
  const flavors = groups.flatMap((group) => group.products.map((flavor) => flavorView(flavor, group)))
  const names = fullGpuNames(flavors.map(({ gpu }) => gpu))
  return flavors.map((flavor) => ({
    ...flavor,
    gpu: flavor.gpu && (names.get(flavor.gpu) ?? flavor.gpu),
  }))
}

export const imageView = (image: Image): ImageView => ({
  id: image.id,
  name: image.name,
  region: { id: image.region_id || null, name: image.region_name || null },
  type: image.type || null,
  description: image.description || null,
})

/** Returns every region by name. Lists may lack ids or names, so each known pair completes other entries. */
export function regionViews(
  reported: readonly Region[],
  flavors: readonly { readonly region: RegionRef }[],
  images: readonly { readonly region: RegionRef }[],
): readonly RegionView[] {
  const named = [...reported, ...[...flavors, ...images].map(({ region }) => region)]
  const idOf = new Map<string, string>()
  for (const { id, name } of named) if (id && name) idOf.set(name, id)
  const whole = ({ id, name }: RegionRef): RegionRef => ({
    id: id ?? (name === null ? null : (idOf.get(name) ?? null)),
    name,
  })
  const regions = new Map<string, RegionView>()
  const regionOf = (ref: RegionRef): RegionView | undefined => {
    const { id, name } = whole(ref)
    const key = regionKey({ id, name })
    if (key === null) return undefined
    const known = regions.get(key)
    const region: RegionView = known
      ? { ...known, name: known.name ?? name }
      : { id, name, description: null, flavors: 0, images: 0 }
    regions.set(key, region)
    return region
  }
  const add = (ref: RegionRef, change: (region: RegionView) => Partial<RegionView>): void => {
    const region = regionOf(ref)
    const key = region && regionKey(region)
    if (region && key) regions.set(key, { ...region, ...change(region) })
  }
  for (const { id, name, description } of reported) {
    add({ id, name }, () => ({ description: description ?? null }))
  }
  for (const { region } of flavors) add(region, ({ flavors: count }) => ({ flavors: count + 1 }))
  for (const { region } of images) add(region, ({ images: count }) => ({ images: count + 1 }))
  return [...regions.values()].sort((a, b) => textOrder()(a.name ?? a.id ?? '', b.name ?? b.id ?? ''))
}
