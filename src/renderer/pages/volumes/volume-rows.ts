import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import type { Money } from '#shared/money/money'
import { rowModel, type SortValue } from '../../components/rows'
import { machineText, regionText, statusText, volumeName } from '../../features/volumes/volume-text'

export type VolumeColumn =
  | 'name'
  | 'state'
  | 'size'
  | 'machine'
  | 'region'
  | 'bootable'
  | 'created'
  | 'perHour'

type Machines = ReadonlyMap<string, MachineView>

type PerHour = (volume: string) => Money | null

function valueOf(volume: VolumeView, key: VolumeColumn, machines: Machines, perHour: PerHour): SortValue {
  switch (key) {
    case 'name':
      return volumeName(volume)
    case 'state':
      return volume.status === null ? null : statusText(volume.status)
    case 'size':
      return volume.size
    case 'machine':
      return machineText(volume, machines)
    case 'region':
      return regionText(volume)
    case 'bootable':
      return volume.bootable === null ? null : Number(volume.bootable)
    case 'created':
      return volume.createdAt
    case 'perHour': {
      const money = perHour(volume.id)
      return money && [money.currency, money.millionths]
    }
  }
}

/** Creates the row model. `machines`: names of the attached machines; `perHour`: price of a volume. */
export const volumeRows = (machines: Machines, perHour: PerHour = () => null) =>
  rowModel<VolumeView, VolumeColumn>({
    valueOf: (volume, key) => valueOf(volume, key, machines, perHour),
    nameOf: volumeName,
    texts: (volume) => [
      volumeName(volume),
      volume.name,
      volume.id,
      regionText(volume),
      statusText(volume.status),
      machineText(volume, machines),
      volume.description,
    ],
  })
