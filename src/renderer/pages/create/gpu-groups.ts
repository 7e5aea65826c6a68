import type { FlavorView, RegionRef } from '#shared/bridge/catalog'
import { textOrder } from '#shared/locale'
import type { Money } from '#shared/money/money'
import { regionKey, sameRegion } from '#shared/regions'
import { gpuSpecs } from '#shared/service/gpu-spec'

/** A hardware configuration under one name, with the offers of all regions. */
export interface Size {
  readonly key: string
  /** The cheapest offer that may be in stock, else the cheapest of all. */
  readonly best: FlavorView
  readonly offers: readonly FlavorView[]
}

export interface GpuGroup {
  readonly key: string
  readonly kind: 'gpu' | 'no-gpu' | 'unknown'
  /** Model without maker and memory, such as `H100 SXM`; empty without a GPU, or if none is reported. */
  readonly model: string
  /** Memory of one GPU in GB; null: not reported. */
  readonly memory: number | null
  readonly counts: readonly number[]
  /** Lowest price that may be in stock, else of all; null: unknown. */
  readonly from: Money | null
  readonly sizes: readonly Size[]
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const stockRank = ({ inStock }: FlavorView): number => (inStock === false ? 2 : inStock === null ? 1 : 0)
const byPrice = (left: Money | null, right: Money | null): number => {
  const [leftPrice, rightPrice] = [left?.millionths ?? Infinity, right?.millionths ?? Infinity]
  return leftPrice === rightPrice ? 0 : leftPrice - rightPrice
}
export const isSoldOut = ({ inStock }: FlavorView): boolean => inStock === false

/** Compares offers: possibly in stock first, then by price. */
const byStockAndPrice = (left: FlavorView, right: FlavorView): number =>
  Number(isSoldOut(left)) - Number(isSoldOut(right)) || byPrice(left.price, right.price)

const sizeKey = ({ name, gpu, gpuCount, cpu, ram, disk, ephemeral, cycle }: FlavorView): string =>
  JSON.stringify([name, gpu, gpuCount, cpu, ram, disk, ephemeral, cycle])

function sizesOf(flavors: readonly FlavorView[]): readonly Size[] {
  const sizes: Size[] = []
  for (const [key, offers] of groupBy(flavors, sizeKey)) {
    const [best] = offers.toSorted(byStockAndPrice)
    if (best) sizes.push({ key, best, offers })
  }
  return sizes.toSorted(
    ({ best: left }, { best: right }) =>
      byPrice(left.price, right.price) || textOrder()(left.name, right.name),
  )
}

const kinds: readonly GpuGroup['kind'][] = ['gpu', 'unknown', 'no-gpu']

/** Groups flavors by GPU model: possibly in stock first, then by price; without a GPU last. Pure. */
export function gpuGroups(flavors: readonly FlavorView[]): readonly GpuGroup[] {
  const specs = gpuSpecs(flavors.map(({ gpu }) => gpu))
  const nameOf = ({ gpu, gpuCount }: FlavorView) => {
    if (gpuCount === 0) return { kind: 'no-gpu', model: '', memory: null } as const
    const spec = gpu === null ? undefined : specs.get(gpu)
    if (!spec) return { kind: 'unknown', model: '', memory: null } as const
    const { model, memory, form } = spec
    return { kind: 'gpu', model: [model, form].filter(Boolean).join(' '), memory } as const
  }
  const keyOf = (flavor: FlavorView): string => {
    const { kind, model, memory } = nameOf(flavor)
    return JSON.stringify([kind, model.toLowerCase(), memory])
  }
  const groups: GpuGroup[] = []
  for (const [key, items] of groupBy(flavors, keyOf)) {
    const [best] = items.toSorted(byStockAndPrice)
    if (!best) continue
    const counts = new Set(items.flatMap(({ gpuCount }) => (gpuCount ? [gpuCount] : [])))
    groups.push({
      key,
      ...nameOf(best),
      counts: [...counts].toSorted((left, right) => left - right),
      from: best.price,
      sizes: sizesOf(items),
    })
  }
  const rank = ({ sizes }: GpuGroup): number => Number(sizes.every(({ best }) => isSoldOut(best)))
  return groups.toSorted(
    (left, right) =>
      kinds.indexOf(left.kind) - kinds.indexOf(right.kind) ||
      rank(left) - rank(right) ||
      byPrice(left.from, right.from) ||
      textOrder()(left.model, right.model),
  )
}

/** Returns the default size of a GPU: the cheapest that may be in stock. */
export const firstSize = ({ sizes }: GpuGroup): Size | undefined => sizes.find(({ best }) => !isSoldOut(best))

/** Returns the cheapest offer of a size; null unless its price differs between regions. Pure. */
export function cheapestOffer({ offers }: Pick<Size, 'offers'>): FlavorView | null {
  const priced = offers.filter(({ price, region }) => price !== null && regionKey(region) !== null)
  const [first, ...others] = priced.toSorted((left, right) => byPrice(left.price, right.price))
  const dearer = others.some(({ price }) => byPrice(first?.price ?? null, price) < 0)
  const isOneCurrency = others.every(({ price }) => price?.currency === first?.price?.currency)
  return first && dearer && isOneCurrency ? first : null
}

/** Counts the regions in stock; `total` is 0 if the offers name no region. */
export function stockOf(offers: readonly FlavorView[]): {
  readonly kind: 'in-stock' | 'sold-out' | 'unknown'
  readonly regions: number
  readonly total: number
} {
  const regions = groupBy(offers, ({ region }) => regionKey(region))
  const known = [...regions].filter(([key]) => key !== null)
  const inStock = known.filter(([, items]) => items.some((item) => item.inStock === true)).length
  const kind = offers.some((offer) => offer.inStock === true)
    ? 'in-stock'
    : offers.every(isSoldOut)
      ? 'sold-out'
      : 'unknown'
  return { kind, regions: inStock, total: known.length }
}

export interface Place {
  /** regionKey. */
  readonly key: string
  readonly region: RegionRef
  readonly flavor: FlavorView
}

/** Returns the places of a size: in stock first, then by price. An offer without a region counts for all. Pure. */
export function placesOf({ offers }: Pick<Size, 'offers'>, regions: readonly RegionRef[]): readonly Place[] {
  const places = regions.flatMap((region): Place[] => {
    const key = regionKey(region)
    const [flavor] = offers
      .filter((offer) => sameRegion(offer.region, region) !== false)
      .toSorted((left, right) => stockRank(left) - stockRank(right) || byPrice(left.price, right.price))
    return key === null || !flavor ? [] : [{ key, region, flavor }]
  })
  return places.toSorted(
    (left, right) =>
      stockRank(left.flavor) - stockRank(right.flavor) ||
      byPrice(left.flavor.price, right.flavor.price) ||
      textOrder()(left.region.name ?? left.key, right.region.name ?? right.key),
  )
}
