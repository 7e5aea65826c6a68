import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { sameRegion } from '#shared/regions'

export type AttachDisabledReason = 'bootable' | 'region' | 'attached' | 'moving'

export const regionOfMachine = (machine: MachineView) => ({ id: null, name: machine.region })

/** Returns why a volume cannot be attached to the machine (service-extensions.md); null if it may be tried. */
export function disabledReason(volume: VolumeView, machine: MachineView): AttachDisabledReason | null {
  const reason = attachToAnyDisabledReason(volume)
  if (reason === 'bootable') return reason
  return sameRegion(volume.region, regionOfMachine(machine)) === false ? 'region' : reason
}

/** Returns why a volume cannot be attached to any machine now; null if it may be tried. */
export function attachToAnyDisabledReason(
  volume: VolumeView,
): Exclude<AttachDisabledReason, 'region'> | null {
  if (volume.bootable === true) return 'bootable'
  if (volume.attachment.kind === 'attached') return 'attached'
  // If the end of an operation is not reported, attaching may be tried.
  return volume.settling ? 'moving' : null
}

/** Returns the machines to which all volumes may be attached, as far as is known. */
export const machinesFor = (
  volumes: readonly VolumeView[],
  machines: readonly MachineView[],
): readonly MachineView[] =>
  machines.filter((machine) => volumes.every((volume) => disabledReason(volume, machine) === null))

/** Returns whether a volume may be deleted: it is not attached, as far as is known, and not changing. */
export const mayDelete = ({ attachment, settling }: VolumeView): boolean =>
  attachment.kind !== 'attached' && !settling
