import { volumes as words } from '#shared/messages/en/volumes'
import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { machinesNaming } from '#shared/attached-machines'
import { formatCount } from '#shared/locale'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'

/** What a person calls the volume: its name, else the generated one, else its id. */
export const volumeName = ({ displayName, name, id }: VolumeView): string => displayName ?? name ?? id

/** A status as a person reads it; one never seen before as the service says it. */
export function statusText(status: string | null): string {
  const known = (status ?? 'unknown').toLowerCase()
  return Object.hasOwn(words.status, known) ? tPath(`volumes.status.${known}`) : foreignText(status ?? '')
}

/** `4,000 GB`; null where the size is not known. */
export const sizeText = ({ size }: VolumeView): string | null =>
  size === null ? null : t('volumes.gigabytes', { size: formatCount(size) })

export const regionText = ({ region }: VolumeView): string | null => {
  const text = region.name ?? region.id
  return text === null ? null : foreignText(text)
}

const namings = new WeakMap<ReadonlyMap<string, MachineView>, ReadonlyMap<string, string>>()

/** The machine whose details name a volume, where the service does not say to which it is attached. */
function machineNaming(id: string, machines: ReadonlyMap<string, MachineView>): string | null {
  const naming = namings.get(machines) ?? machinesNaming([...machines.values()])
  namings.set(machines, naming)
  return naming.get(id) ?? null
}

/** The machine that a volume is attached to, by name where the machine is known; null: none, or unknown. */
export function machineText(
  { id, attachment }: VolumeView,
  machines: ReadonlyMap<string, MachineView>,
): string | null {
  if (attachment.kind !== 'attached') return null
  const machine = attachment.machine ?? machineNaming(id, machines)
  return machine === null ? null : foreignText(machines.get(machine)?.name ?? machine)
}

/** Returns the id of the machine that a volume is attached to, or was last attached to from here if that is unknown. */
export const lastMachineOf = ({ attachment }: VolumeView): string | null => {
  if (attachment.kind === 'attached') return attachment.machine
  return attachment.kind === 'unknown' ? (attachment.lastMachine ?? null) : null
}

export const bootableText = ({ bootable }: VolumeView): string | null =>
  bootable === null ? null : t(bootable ? 'volumes.yes' : 'volumes.no')
