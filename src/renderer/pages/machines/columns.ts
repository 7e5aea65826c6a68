import { t } from '../../platform/i18n'
import { columnMaker, type GridColumn } from '../../components/grid-columns'
import type { MachineColumn } from './machine-rows'

const column = columnMaker((key: MachineColumn) =>
  t(key === 'load' ? 'metrics.load.column' : `machines.columns.${key}`),
)

export const machineColumns = (): readonly GridColumn<MachineColumn>[] => [
  column('name', 140, 3, 0),
  column('state', 136, 1, 1),
  column('flavor', 150, 2, 6),
  column('gpu', 136, 3.5, 2),
  column('perHour', 108, 0, 2.5, true),
  column('load', 124, 0, 3.5),
  column('region', 112, 1, 4),
  column('address', 132, 1, 3),
  column('uptime', 100, 1, 5),
  column('soFar', 120, 0, 4.5, true),
]
