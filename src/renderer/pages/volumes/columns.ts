import { t } from '../../platform/i18n'
import { columnMaker, type GridColumn } from '../../components/grid-columns'
import type { VolumeColumn } from './volume-rows'

const column = columnMaker((key: VolumeColumn) =>
  t(key === 'perHour' ? 'machines.columns.perHour' : `volumes.columns.${key}`),
)

export const volumeColumns = (): readonly GridColumn<VolumeColumn>[] => [
  column('name', 140, 3, 1),
  column('state', 116, 1, 2),
  column('size', 92, 1, 3, true),
  column('perHour', 116, 1, 3.5, true),
  column('machine', 244, 2, 4),
  column('region', 100, 1, 5),
  column('bootable', 92, 1, 6),
  column('created', 108, 1, 7),
]
