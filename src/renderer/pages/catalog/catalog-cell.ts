import { formatCount } from '#shared/locale'
import { formatRate } from '#shared/money/format-money'
import { type Money } from '#shared/money/money'
import { foreignText } from '../../components/foreign-text'
import { foreignCell } from '../../components/grid/foreign-cell'
import type { CellText } from '../../components/grid-columns'
import { gpuCell } from '../../features/machine-cell'
import { t } from '../../platform/i18n'
import { type CatalogKey, type CatalogRow, type FlavorRow, type ImageRow, regionCell } from './rows'

const gigabytes = (size: number | null): CellText => ({
  text: size === null ? t('common.none') : t('catalog.gigabytes', { gigabytes: formatCount(size) }),
})
const price = (money: Money | null): string => (money ? formatRate(money) : t('common.none'))

function flavorCell({ flavor, pricePerGpu }: FlavorRow, column: CatalogKey): CellText | undefined {
  switch (column) {
    case 'gpu':
      return gpuCell(flavor)
    case 'cpu':
      return { text: flavor.cpu === null ? t('common.none') : formatCount(flavor.cpu) }
    case 'ram':
    case 'disk':
    case 'ephemeral':
      return gigabytes(flavor[column])
    case 'bandwidth':
      return foreignCell(flavor.bandwidth)
    case 'region':
      return regionCell(flavor.region)
    case 'price': {
      const { cycle } = flavor
      const isHourly = cycle === null || cycle === 'hourly'
      const title = isHourly ? undefined : t('catalog.per.other', { cycle: foreignText(cycle, 60) })
      return { text: price(flavor.price), title }
    }
    case 'pricePerGpu':
      return { text: price(pricePerGpu) }
    default:
      return undefined
  }
}

function imageCell({ image }: ImageRow, column: CatalogKey): CellText | undefined {
  switch (column) {
    case 'region':
      return regionCell(image.region)
    case 'name':
      return foreignCell(image.name, '', true)
    case 'type':
    case 'description':
      return foreignCell(image[column])
    default:
      return undefined
  }
}

/** Returns the text of a cell of the catalog; undefined for cells with buttons. */
export const catalogCell = (row: CatalogRow, column: CatalogKey): CellText | undefined =>
  'flavor' in row ? flavorCell(row, column) : imageCell(row, column)
