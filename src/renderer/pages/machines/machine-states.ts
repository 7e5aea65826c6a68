import type { MachineView } from '#shared/bridge/fleet'
import { textOrder } from '#shared/locale'
import { machineState, type MachineState } from '#shared/service/machine-state'

const order: readonly MachineState[] = ['running', 'moving', 'stopped', 'failed', 'other']

export const stateRank = (status: string | null): number => order.indexOf(machineState(status))

/** As the service says it; the empty text where it says none. */
export const statusOf = ({ status }: MachineView): string => status ?? ''

/** The statuses sorted, running ones first. */
export const statusOrder = (statuses: readonly string[]): readonly string[] =>
  statuses.toSorted((one, other) => stateRank(one) - stateRank(other) || textOrder()(one, other))
