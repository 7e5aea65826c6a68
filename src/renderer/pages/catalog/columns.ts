import type { MachineKind } from '#shared/bridge/catalog'
import { t } from '../../platform/i18n'
import { columnMaker, type GridColumn } from '../../components/grid-columns'
import type { FlavorKey, ImageKey } from './rows'

const column = columnMaker((key: FlavorKey | ImageKey) => t(`catalog.columns.${key}`))

/** Returns the columns of flavors. Bare metal has no ephemeral disk but a bandwidth (api-spec.md §2). */
export const flavorColumns = (kind: MachineKind): readonly GridColumn<FlavorKey>[] => [
  column('name', 128, 3, 0),
  column('gpu', 160, 3, 2),
  column('cpu', 56, 1, 7, true),
  column('ram', 80, 1, 6, true),
  column('disk', 88, 1, 8, true),
  kind === 'machine' ? column('ephemeral', 96, 1, 9, true) : column('bandwidth', 96, 1, 9, true),
  // The region distinguishes rows of the same flavor.
  column('region', 92, 1, 4),
  column('price', 100, 1, 3, true),
  column('pricePerGpu', 100, 1, 5, true),
  column('stock', 208, 1, 1),
]

export const imageColumns = (): readonly GridColumn<ImageKey>[] => [
  column('name', 180, 2, 0),
  column('type', 100, 1, 2),
  column('region', 100, 1, 1),
  column('description', 180, 3, 4),
  column('id', 180, 2, 3),
]
