import type { MachineView } from '#shared/bridge/fleet'
import { textOrder } from '#shared/locale'
import { machineState, type MachineState } from '#shared/service/machine-state'

const order: readonly MachineState[] = ['running', 'moving', 'stopped', 'failed', 'other']

export const stateRank = (status: string | null): number => order.indexOf(machineState(status))

export const statusOf = ({ status }: MachineView): string => status ?? ''

/** Group of wasteful machines of any status. No status of a service starts with a tab. */
export const wasteGroup = '\twaste'

export const statusOrder = (statuses: readonly string[]): readonly string[] =>
  statuses.toSorted(
    (left, right) =>
      Number(left === wasteGroup) - Number(right === wasteGroup) ||
      stateRank(left) - stateRank(right) ||
      textOrder()(left, right),
  )
