import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { machineText, regionText, statusText, volumeName } from './volume-text'

export type VolumeColumn = 'name' | 'state' | 'size' | 'machine' | 'region' | 'bootable' | 'created'
export interface VolumeSorting {
  readonly key: VolumeColumn
  readonly descending: boolean
}

// Numbers inside names count as numbers: data-2 before data-10.
const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

type Machines = ReadonlyMap<string, MachineView>

function valueOf(volume: VolumeView, key: VolumeColumn, machines: Machines): string | number | null {
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
  }
}

const compareValues = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other))

/** A sorted copy. What is not known stands last either way; volumes that compare equal stand by name, then by id. */
export function sortVolumes(
  volumes: readonly VolumeView[],
  { key, descending }: VolumeSorting,
  machines: Machines,
): readonly VolumeView[] {
  return [...volumes].sort((one, other) => {
    const [left, right] = [valueOf(one, key, machines), valueOf(other, key, machines)]
    const byValue =
      left === null || right === null
        ? Number(left === null) - Number(right === null)
        : compareValues(left, right) * (descending ? -1 : 1)
    return byValue || compare(volumeName(one), volumeName(other)) || (one.id < other.id ? -1 : 1)
  })
}
