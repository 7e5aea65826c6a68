import type { CapabilityName } from '#shared/bridge/capability'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState, type MachineState } from '#shared/service/machine-state'

export const machineActions = ['start', 'stop', 'reboot', 'delete'] as const
export type MachineAction = (typeof machineActions)[number]

/** Returns the capability that an action requires (service-extensions.md). */
export const capabilityOf = (action: MachineAction): CapabilityName =>
  action === 'delete' ? 'delete-machine' : 'power'

/** States in which an action makes no sense. It may be tried in all other states, including unknown states. */
const pointless: Readonly<Record<MachineAction, readonly MachineState[]>> = {
  start: ['running', 'moving'],
  stop: ['stopped', 'moving'],
  reboot: ['stopped', 'moving'],
  delete: [],
}

export const canDo = (action: MachineAction, { status }: Pick<MachineView, 'status'>): boolean =>
  !pointless[action].includes(machineState(status))
