import type { FlavorView, RegionRef } from '#shared/bridge/catalog'
import { textOrder } from '#shared/locale'
import type { Money } from '#shared/money/money'
import { regionKey, sameRegion } from '#shared/regions'
import { gpuSpecs } from '#shared/service/gpu-spec'

/** One hardware configuration under one name, as regions offer it. */
export interface Size {
  readonly key: string
  /** The offer that it is shown by: the cheapest that may be in stock, else the cheapest. */
  readonly best: FlavorView
  readonly offers: readonly FlavorView[]
}

/** Every size with one GPU model. */
export interface GpuGroup {
  readonly key: string
  readonly kind: 'gpu' | 'no-gpu' | 'unknown'
  /** Without its maker, memory and size of its flavors: `H100 SXM`; empty where there is no GPU or none is reported. */
  readonly model: string
  /** GB of one GPU; null: not reported. */
  readonly memory: number | null
  /** GPUs per machine, ascending. */
  readonly counts: readonly number[]
  /** The cheapest of what may be in stock, else of all; null: no price is known. */
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
const byPrice = (one: Money | null, other: Money | null): number => {
  const [first, second] = [one?.millionths ?? Infinity, other?.millionths ?? Infinity]
  return first === second ? 0 : first - second
}
export const isSoldOut = ({ inStock }: FlavorView): boolean => inStock === false

/** What may be in stock before what is not, then the cheapest. */
const better = (one: FlavorView, other: FlavorView): number =>
  Number(isSoldOut(one)) - Number(isSoldOut(other)) || byPrice(one.price, other.price)

const sizeKey = ({ name, gpu, gpuCount, cpu, ram, disk, ephemeral, cycle }: FlavorView): string =>
  JSON.stringify([name, gpu, gpuCount, cpu, ram, disk, ephemeral, cycle])

function sizesOf(flavors: readonly FlavorView[]): readonly Size[] {
  const sizes: Size[] = []
  for (const [key, offers] of groupBy(flavors, sizeKey)) {
    const [best] = offers.toSorted(better)
    if (best) sizes.push({ key, best, offers })
  }
  return sizes.toSorted(
    (one, other) => byPrice(one.best.price, other.best.price) || textOrder()(one.best.name, other.best.name),
  )
}

const kinds: readonly GpuGroup['kind'][] = ['gpu', 'unknown', 'no-gpu']

/** The flavors by GPU model: what may be in stock first, then the cheapest; without a GPU last. Pure. */
export function gpuGroups(flavors: readonly FlavorView[]): readonly GpuGroup[] {
  const whole = gpuSpecs(flavors.map(({ gpu }) => gpu))
  const nameOf = ({ gpu, gpuCount }: FlavorView) => {
    if (gpuCount === 0) return { kind: 'no-gpu', model: '', memory: null } as const
    const spec = gpu === null ? undefined : whole.get(gpu)
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
    const [best] = items.toSorted(better)
    if (!best) continue
    const counts = new Set(items.flatMap(({ gpuCount }) => (gpuCount ? [gpuCount] : [])))
    groups.push({
      key,
      ...nameOf(best),
      counts: [...counts].toSorted((one, other) => one - other),
      from: best.price,
      sizes: sizesOf(items),
    })
  }
  const rank = ({ sizes }: GpuGroup): number => Number(sizes.every(({ best }) => isSoldOut(best)))
  return groups.toSorted(
    (one, other) =>
      kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
      rank(one) - rank(other) ||
      byPrice(one.from, other.from) ||
      textOrder()(one.model, other.model),
  )
}

/** The size that is taken with a GPU: the cheapest that may be in stock. */
export const firstSize = ({ sizes }: GpuGroup): Size | undefined => sizes.find(({ best }) => !isSoldOut(best))

/** In how many regions offers are in stock; `total` is 0 where no region is named. */
export function stockOf(offers: readonly FlavorView[]): {
  readonly kind: 'in-stock' | 'sold-out' | 'unknown'
  readonly regions: number
  readonly total: number
} {
  const regions = groupBy(offers, ({ region }) => regionKey(region))
  const named = [...regions].filter(([key]) => key !== null)
  const inStock = named.filter(([, items]) => items.some((item) => item.inStock === true)).length
  const kind = offers.some((offer) => offer.inStock === true)
    ? 'in-stock'
    : offers.every(isSoldOut)
      ? 'sold-out'
      : 'unknown'
  return { kind, regions: inStock, total: named.length }
}

/** A region that offers a size, or may. */
export interface Place {
  /** regionKey. */
  readonly key: string
  readonly region: RegionRef
  readonly flavor: FlavorView
}

/** Where a size is: in stock first, then the cheapest. What names no region may be in any. Pure. */
export function placesOf({ offers }: Pick<Size, 'offers'>, regions: readonly RegionRef[]): readonly Place[] {
  const places = regions.flatMap((region): Place[] => {
    const key = regionKey(region)
    const [flavor] = offers
      .filter((offer) => sameRegion(offer.region, region) !== false)
      .toSorted((one, other) => stockRank(one) - stockRank(other) || byPrice(one.price, other.price))
    return key === null || !flavor ? [] : [{ key, region, flavor }]
  })
  return places.toSorted(
    (one, other) =>
      stockRank(one.flavor) - stockRank(other.flavor) ||
      byPrice(one.flavor.price, other.flavor.price) ||
      textOrder()(one.region.name ?? one.key, other.region.name ?? other.key),
  )
}
