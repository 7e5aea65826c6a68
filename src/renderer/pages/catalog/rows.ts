import type { FlavorView, ImageView, RegionRef } from '#shared/bridge/catalog'
import { type Money, timesMoney } from '#shared/money/money'
import { regionKey, sameRegion } from '#shared/regions'
import { foreignText } from '../../components/foreign-text'
import type { CellText } from '../../components/grid-columns'
import { rowModel, type SortValue } from '../../components/rows'
import { t } from '../../platform/i18n'

/** A row of a flavor in a region; both are part of its id. */
export interface FlavorRow {
  readonly id: string
  readonly flavor: FlavorView
  /** Per hour; null if the price or the number of GPUs is unknown, or without a GPU. */
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

/** Escapes slashes. Not with encodeURIComponent, which throws on half of a surrogate pair. */
const segment = (text: string): string => text.replaceAll('%', '%25').replaceAll('/', '%2F')

const rowId = (id: string, region: RegionRef): string => `${segment(regionKey(region) ?? '')}/${segment(id)}`

export const flavorRow = (flavor: FlavorView): FlavorRow => ({
  id: rowId(flavor.id, flavor.region),
  flavor,
  pricePerGpu:
    // A fraction of a GPU has no exact price per GPU.
    flavor.price !== null &&
    flavor.gpuCount !== null &&
    flavor.gpuCount > 0 &&
    Number.isInteger(flavor.gpuCount)
      ? timesMoney(flavor.price, 1, flavor.gpuCount)
      : null,
})
export const imageRow = (image: ImageView): ImageRow => ({ id: rowId(image.id, image.region), image })

export function regionText({ name, id }: RegionRef): string | null {
  const text = name ?? id
  return text === null ? null : foreignText(text)
}

/** Returns the cell of a region, with its id as the tooltip. */
export const regionCell = (region: RegionRef): CellText => ({
  text: regionText(region) ?? t('common.unknown'),
  title: foreignText(region.id ?? ''),
  look: 'muted',
})

function flavorValue({ flavor, pricePerGpu }: FlavorRow, key: CatalogKey): SortValue {
  switch (key) {
    case 'price':
      return flavor.price?.millionths ?? null
    case 'pricePerGpu':
      return pricePerGpu?.millionths ?? null
    case 'region':
      return regionText(flavor.region)
    case 'stock':
      return flavor.inStock === null ? null : Number(!flavor.inStock)
    case 'gpu':
      return flavor.gpu === null ? null : [flavor.gpu, flavor.gpuCount ?? 0]
    case 'type':
    case 'description':
      return null
    default:
      return flavor[key]
  }
}

function imageValue({ image }: ImageRow, key: CatalogKey): SortValue {
  switch (key) {
    case 'name':
    case 'type':
    case 'description':
    case 'id':
      return image[key]
    case 'region':
      return regionText(image.region)
    default:
      return null
  }
}

export type CatalogRow = FlavorRow | ImageRow
export type CatalogKey = FlavorKey | ImageKey

export const catalogRows = rowModel<CatalogRow, CatalogKey>({
  valueOf: (row, key) => ('flavor' in row ? flavorValue(row, key) : imageValue(row, key)),
  nameOf: (row) => ('flavor' in row ? row.flavor : row.image).name,
  texts(row) {
    if ('image' in row) {
      const { id, name, type, description, region } = row.image
      return [id, name, type, description, region.id, region.name]
    }
    const { id, name, gpu, gpuCount, region } = row.flavor
    const count = gpuCount === null ? null : `${String(gpuCount)}x`
    return [id, name, gpu, region.id, region.name, count]
  },
})

/** Keeps the entries of a region, and those whose region is unknown. */
export const inRegion = <Item extends { readonly region: RegionRef }>(
  items: readonly Item[],
  region: RegionRef | null,
): readonly Item[] =>
  region === null ? items : items.filter((item) => sameRegion(item.region, region) !== false)
