import type { MachineView } from '#shared/bridge/fleet'
import { textOrder } from '#shared/locale'
import { machineState, type MachineState } from '#shared/service/machine-state'

const order: readonly MachineState[] = ['running', 'moving', 'stopped', 'failed', 'other']

export const stateRank = (status: string | null): number => order.indexOf(machineState(status))

/** As the service says it; the empty text where it says none. */
export const statusOf = ({ status }: MachineView): string => status ?? ''

/** The group of machines that are waste, whatever their status: no service reports a status that begins with a tab. */
export const wasteGroup = '\twaste'

/** The statuses sorted, running ones first; waste last. */
export const statusOrder = (statuses: readonly string[]): readonly string[] =>
  statuses.toSorted(
    (one, other) =>
      Number(one === wasteGroup) - Number(other === wasteGroup) ||
      stateRank(one) - stateRank(other) ||
      textOrder()(one, other),
  )
