import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { sameRegion } from '#shared/regions'

/** Why a volume is not offered to be attached to a machine. */
export type AttachDisabledReason = 'bootable' | 'region' | 'attached' | 'moving'

export const regionOfMachine = (machine: MachineView) => ({ id: null, name: machine.region })

/**
 * Why a volume cannot be attached to the machine, as far as that is known; null where it may be tried
 * (service-extensions.md: in the machine's region, not bootable, not attached).
 */
export function disabledReason(volume: VolumeView, machine: MachineView): AttachDisabledReason | null {
  const anywhere = attachToAnyDisabledReason(volume)
  if (anywhere === 'bootable') return anywhere
  return sameRegion(volume.region, regionOfMachine(machine)) === false ? 'region' : anywhere
}

/** Why a volume cannot be attached to any machine now; null where it may be tried. */
export function attachToAnyDisabledReason(
  volume: VolumeView,
): Exclude<AttachDisabledReason, 'region'> | null {
  if (volume.bootable === true) return 'bootable'
  if (volume.attachment.kind === 'attached') return 'attached'
  // Where its end is not reported, it may be tried.
  return volume.settling ? 'moving' : null
}

/** Machines to which all of the volumes may be attached at once, as far as that is known. */
export const machinesFor = (
  volumes: readonly VolumeView[],
  machines: readonly MachineView[],
): readonly MachineView[] =>
  machines.filter((machine) => volumes.every((volume) => disabledReason(volume, machine) === null))

/** What is attached or changing cannot be deleted; where that is unknown it may be tried. */
export const mayDelete = ({ attachment, settling }: VolumeView): boolean =>
  attachment.kind !== 'attached' && !settling
