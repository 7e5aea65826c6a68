import { t } from '../../app/i18n'
import type { GridColumn } from '../../parts/grid-columns'
import type { SortKey } from './sort-machines'

/** The columns of the list of machines. */
export function machineColumns(): readonly GridColumn<SortKey>[] {
  const column = (key: SortKey, min: number, grow: number, worth: number): GridColumn<SortKey> => ({
    ...{ key, label: t(`machines.columns.${key}`), min, grow, worth },
  })
  return [
    column('name', 140, 3, 0),
    column('state', 104, 1, 1),
    column('flavor', 150, 2, 6),
    column('gpu', 144, 3, 2),
    column('region', 112, 1, 4),
    column('address', 132, 1, 3),
    column('uptime', 100, 1, 5),
  ]
}
