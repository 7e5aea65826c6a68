import type { FlavorView, ImageView, RegionRef } from '#shared/bridge/catalog'
import { type Money, timesMoney } from '#shared/money/money'
import { regionKey, sameRegion } from '#shared/regions'
import { matching, sortedBy, type SortValue } from '../../components/rows'

/** A row of the list. The service may name the same flavor in several regions: both make its id. */
export interface FlavorRow {
  readonly id: string
  readonly flavor: FlavorView
  /** Per hour; null where the price or the number of GPUs is not told, or there is no GPU. */
  readonly pricePerGpu: Money | null
}
export interface ImageRow {
  readonly id: string
  readonly image: ImageView
}

export type FlavorKey =
  | 'name'
  | 'gpu'
  | 'cpu'
  | 'ram'
  | 'disk'
  | 'ephemeral'
  | 'bandwidth'
  | 'price'
  | 'pricePerGpu'
  | 'region'
  | 'stock'
export type ImageKey = 'name' | 'type' | 'description' | 'region' | 'id'

const rowId = (id: string, region: RegionRef): string =>
  `${encodeURIComponent(regionKey(region) ?? '')}/${encodeURIComponent(id)}`

export const flavorRow = (flavor: FlavorView): FlavorRow => ({
  id: rowId(flavor.id, flavor.region),
  flavor,
  pricePerGpu:
    flavor.price !== null && flavor.gpuCount !== null && flavor.gpuCount > 0
      ? timesMoney(flavor.price, 1, flavor.gpuCount)
      : null,
})
export const imageRow = (image: ImageView): ImageRow => ({ id: rowId(image.id, image.region), image })

/** A region as a person reads it; null where it is not told. */
export const regionText = ({ name, id }: RegionRef): string | null => name ?? id

function flavorValue({ flavor, pricePerGpu }: FlavorRow, key: FlavorKey): SortValue {
  switch (key) {
    case 'price':
      return flavor.price?.millionths ?? null
    case 'pricePerGpu':
      return pricePerGpu?.millionths ?? null
    case 'region':
      return regionText(flavor.region)
    case 'stock':
      // In stock first.
      return flavor.inStock === null ? null : Number(!flavor.inStock)
    case 'gpu':
      return flavor.gpu === null ? null : `${flavor.gpu} ${String(flavor.gpuCount ?? '')}`
    default:
      return flavor[key]
  }
}

const imageValue = ({ image }: ImageRow, key: ImageKey): SortValue =>
  key === 'region' ? regionText(image.region) : image[key]

export const sortFlavors = (
  rows: readonly FlavorRow[],
  key: FlavorKey,
  descending: boolean,
): readonly FlavorRow[] =>
  sortedBy(
    rows,
    (row) => flavorValue(row, key),
    descending,
    ({ flavor }) => flavor.name,
  )
export const sortImages = (
  rows: readonly ImageRow[],
  key: ImageKey,
  descending: boolean,
): readonly ImageRow[] =>
  sortedBy(
    rows,
    (row) => imageValue(row, key),
    descending,
    ({ image }) => image.name,
  )

export const findFlavors = (rows: readonly FlavorRow[], filter: string): readonly FlavorRow[] =>
  matching(rows, filter, ({ flavor: { id, name, gpu, gpuCount, region } }) => [
    ...[id, name, gpu, region.id, region.name],
    gpuCount === null ? null : `${String(gpuCount)}x`,
  ])
export const findImages = (rows: readonly ImageRow[], filter: string): readonly ImageRow[] =>
  matching(rows, filter, ({ image: { id, name, type, description, region } }) => [
    ...[id, name, type, description, region.id, region.name],
  ])

/** Entries of one region, or that may be in it: where the service tells too little to know, they stay. */
export const inRegion = <Item extends { readonly region: RegionRef }>(
  items: readonly Item[],
  region: RegionRef | null,
): readonly Item[] =>
  region === null ? items : items.filter((item) => sameRegion(item.region, region) !== false)
