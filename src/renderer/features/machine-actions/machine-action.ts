import type { CapabilityName } from '#shared/bridge/capability'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState, type MachineState } from '#shared/service/machine-state'

export const machineActions = ['start', 'stop', 'reboot', 'delete'] as const
/** What can be done to a machine, and to several at once. */
export type MachineAction = (typeof machineActions)[number]

/** What the service must offer for it (service-extensions.md). */
export const capabilityOf = (action: MachineAction): CapabilityName =>
  action === 'delete' ? 'delete-machine' : 'power'

/** In which states it makes no sense. In all others, those never seen before included, it may be tried. */
const pointless: Readonly<Record<MachineAction, readonly MachineState[]>> = {
  start: ['running', 'moving'],
  stop: ['stopped', 'moving'],
  reboot: ['stopped', 'moving'],
  delete: [],
}

export const canDo = (action: MachineAction, { status }: Pick<MachineView, 'status'>): boolean =>
  !pointless[action].includes(machineState(status))
