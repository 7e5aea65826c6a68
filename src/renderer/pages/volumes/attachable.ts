import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { sameRegion } from '#shared/regions'
import { volumeState } from '#shared/service/volume-state'

/** Why a volume is not offered to be attached to a machine. */
export type Obstacle = 'bootable' | 'region' | 'attached' | 'moving'

export const regionOfMachine = (machine: MachineView) => ({ id: null, name: machine.region })

/**
 * Why a volume cannot be attached to the machine, as far as that is known; null where it may be tried
 * (service-extensions.md: in the machine's region, not bootable, not attached).
 */
export function obstacle(volume: VolumeView, machine: MachineView): Obstacle | null {
  if (volume.bootable === true) return 'bootable'
  if (sameRegion(volume.region, regionOfMachine(machine)) === false) return 'region'
  if (volume.attachment.is === 'attached') return 'attached'
  if (volumeState(volume.status) === 'moving') return 'moving'
  return null
}
