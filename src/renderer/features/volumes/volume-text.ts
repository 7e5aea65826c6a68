import { volumes as words } from '#shared/messages/en/volumes'
import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { machinesNaming } from '#shared/attached-machines'
import { formatCount } from '#shared/locale'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'

/** Returns the user's name of a volume, or the generated name, or the id. */
export const volumeName = ({ displayName, name, id }: VolumeView): string => displayName ?? name ?? id

/** Returns the text of a status. Unknown statuses stay as the service reports them. */
export function statusText(status: string | null): string {
  const known = (status ?? 'unknown').toLowerCase()
  return Object.hasOwn(words.status, known) ? tPath(`volumes.status.${known}`) : foreignText(status ?? '')
}

/** Returns text such as `4,000 GB`; null if the size is unknown. */
export const sizeText = ({ size }: VolumeView): string | null =>
  size === null ? null : t('volumes.gigabytes', { size: formatCount(size) })

export const regionText = ({ region }: VolumeView): string | null => {
  const text = region.name ?? region.id
  return text === null ? null : foreignText(text)
}

const namings = new WeakMap<ReadonlyMap<string, MachineView>, ReadonlyMap<string, string>>()

/** Returns the machine whose details name a volume, for services that do not report where it is attached. */
function machineNaming(id: string, machines: ReadonlyMap<string, MachineView>): string | null {
  const naming = namings.get(machines) ?? machinesNaming([...machines.values()])
  namings.set(machines, naming)
  return naming.get(id) ?? null
}

/** Returns the name or id of the machine that a volume is attached to; null if there is none or it is unknown. */
export function machineText(
  { id, attachment }: VolumeView,
  machines: ReadonlyMap<string, MachineView>,
): string | null {
  if (attachment.kind !== 'attached') return null
  const machine = attachment.machine ?? machineNaming(id, machines)
  return machine === null ? null : foreignText(machines.get(machine)?.name ?? machine)
}

/** Returns the id of the machine that a volume is attached to. If unknown, the machine it was last attached to from here. */
export const lastMachineOf = ({ attachment }: VolumeView): string | null => {
  if (attachment.kind === 'attached') return attachment.machine
  return attachment.kind === 'unknown' ? (attachment.lastMachine ?? null) : null
}

export const bootableText = ({ bootable }: VolumeView): string | null =>
  bootable === null ? null : t(bootable ? 'volumes.yes' : 'volumes.no')
