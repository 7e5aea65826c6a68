import { t } from '../../platform/i18n'
import type { GridColumn } from '../../components/grid-columns'
import type { MachineColumn } from './machine-rows'

/** Returns the columns of the machine list. */
export function machineColumns(): readonly GridColumn<MachineColumn>[] {
  const column = (
    key: Exclude<MachineColumn, 'load'>,
    min: number,
    grow: number,
    dropOrder: number,
  ): GridColumn<MachineColumn> => ({ key, label: t(`machines.columns.${key}`), min, grow, dropOrder })
  return [
    column('name', 140, 3, 0),
    column('state', 136, 1, 1),
    column('flavor', 150, 2, 6),
    column('gpu', 136, 3.5, 2),
    { ...column('perHour', 108, 0, 2.5), numeric: true },
    { key: 'load', label: t('metrics.load.column'), min: 124, grow: 0, dropOrder: 3.5 },
    column('region', 112, 1, 4),
    column('address', 132, 1, 3),
    column('uptime', 100, 1, 5),
    { ...column('soFar', 120, 0, 4.5), numeric: true },
  ]
}
