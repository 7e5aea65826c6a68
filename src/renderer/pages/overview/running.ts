import type { MachineView } from '#shared/bridge/fleet'
import type { Money } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import { textOrder } from '#shared/locale'

/** A running or starting machine, with its known costs per hour in each currency. */
export interface RunningMachine {
  readonly machine: MachineView
  readonly perHour: readonly Money[]
}

/** Returns running machines, sorted by currency, then the most expensive first, then by name. */
export function runningMachines(
  machines: readonly MachineView[],
  perHour: (machine: string) => readonly Money[],
): readonly RunningMachine[] {
  return machines
    .filter(({ status }) => ['running', 'moving'].includes(machineState(status)))
    .map((machine) => ({ machine, perHour: perHour(machine.id) }))
    .sort(
      (left, right) =>
        textOrder()(left.perHour[0]?.currency ?? '~', right.perHour[0]?.currency ?? '~') ||
        (right.perHour[0]?.millionths ?? 0) - (left.perHour[0]?.millionths ?? 0) ||
        textOrder()(left.machine.name, right.machine.name),
    )
}
