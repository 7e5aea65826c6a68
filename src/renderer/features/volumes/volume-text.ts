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

type Machines = ReadonlyMap<string, MachineView>

/** Returns the id of the machine that a volume is attached to; null if there is none or it is unknown. */
export const machineOf = ({ id, attachment }: VolumeView, machines: Machines): string | null =>
  attachment.kind === 'attached' ? (attachment.machine ?? machineNaming(id, machines)) : null

const nameIn = (machines: Machines, machine: string): string =>
  foreignText(machines.get(machine)?.name ?? machine)

/** Returns the name or id of the machine that a volume is attached to; null if there is none or it is unknown. */
export function machineText(volume: VolumeView, machines: Machines): string | null {
  const machine = machineOf(volume, machines)
  return machine === null ? null : nameIn(machines, machine)
}

/** Returns the id of the machine that a volume was last attached to from here, if its machine is unknown now. */
export const lastMachineOf = ({ attachment }: VolumeView): string | null =>
  attachment.kind === 'detached' ? null : (attachment.lastMachine ?? null)

/** Returns why the machine of a volume is unknown, or that it has none. */
export function noMachineText({ attachment, bootable }: VolumeView, machines: Machines): string {
  const { kind } = attachment
  if (kind === 'detached') return t('volumes.detached')
  if (attachment.lastMachine !== undefined)
    return t(`volumes.lastMachine.${kind}`, { machine: nameIn(machines, attachment.lastMachine) })
  if (kind === 'unknown') return t('volumes.unknown')
  // Only a machine that boots from it can use a bootable volume (api-spec.md §2).
  if (bootable === true) return t('volumes.machineUnknown.boots')
  return t(attachment.outside ? 'volumes.machineUnknown.outside' : 'volumes.machineUnknown.before')
}

export const bootableText = ({ bootable }: VolumeView): string | null =>
  bootable === null ? null : t(bootable ? 'volumes.yes' : 'volumes.no')
