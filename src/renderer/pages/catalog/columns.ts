import type { MachineKind } from '#shared/bridge/catalog'
import { t } from '../../app/i18n'
import type { GridColumn } from '../../parts/grid-columns'
import type { FlavorKey, ImageKey } from './rows'

const column = <Key extends FlavorKey | ImageKey>(
  key: Key,
  min: number,
  grow: number,
  worth: number,
  numeric = false,
): GridColumn<Key> => ({ key, label: t(`catalog.columns.${key}`), min, grow, worth, numeric })

/** Bare metal has no ephemeral disks (api-spec.md §2); its bandwidth is told. */
export const flavorColumns = (kind: MachineKind): readonly GridColumn<FlavorKey>[] => [
  column('name', 140, 3, 0),
  column('gpu', 150, 3, 2),
  column('cpu', 70, 1, 6, true),
  column('ram', 88, 1, 5, true),
  column('disk', 88, 1, 8, true),
  kind === 'machine' ? column('ephemeral', 100, 1, 9, true) : column('bandwidth', 100, 1, 9, true),
  column('region', 100, 1, 4),
  column('price', 108, 1, 3, true),
  column('pricePerGpu', 108, 1, 3, true),
  column('stock', 196, 1, 1),
]

export const imageColumns = (): readonly GridColumn<ImageKey>[] => [
  column('name', 180, 2, 0),
  column('type', 100, 1, 2),
  column('region', 100, 1, 1),
  column('description', 180, 3, 4),
  column('id', 180, 2, 3),
]
