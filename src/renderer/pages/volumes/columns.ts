import { t } from '../../platform/i18n'
import type { GridColumn } from '../../components/grid-columns'
import type { VolumeColumn } from './volume-rows'

/** Returns the columns of the volume list. */
export const volumeColumns = (): readonly GridColumn<VolumeColumn>[] => [
  { key: 'name', label: t('volumes.columns.name'), min: 140, grow: 3, dropOrder: 1 },
  { key: 'state', label: t('volumes.columns.state'), min: 116, grow: 1, dropOrder: 2 },
  { key: 'size', label: t('volumes.columns.size'), min: 92, grow: 1, dropOrder: 3, numeric: true },
  {
    key: 'perHour',
    label: t('machines.columns.perHour'),
    min: 116,
    grow: 1,
    dropOrder: 3.5,
    numeric: true,
  },
  { key: 'machine', label: t('volumes.columns.machine'), min: 140, grow: 2, dropOrder: 4 },
  { key: 'region', label: t('volumes.columns.region'), min: 100, grow: 1, dropOrder: 5 },
  { key: 'bootable', label: t('volumes.columns.bootable'), min: 92, grow: 1, dropOrder: 6 },
  { key: 'created', label: t('volumes.columns.created'), min: 108, grow: 1, dropOrder: 7 },
]
