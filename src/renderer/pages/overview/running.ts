import type { MachineView } from '#shared/bridge/fleet'
import type { Money } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import { textOrder } from '#shared/locale'

/** A machine that runs or is on its way, with what it costs per hour in each currency as far as that is known. */
export interface RunningMachine {
  readonly machine: MachineView
  readonly perHour: readonly Money[]
}

/** The dearest first, then by name. Amounts of different currencies are not compared: they stand by currency. */
export function runningMachines(
  machines: readonly MachineView[],
  perHour: (machine: string) => readonly Money[],
): readonly RunningMachine[] {
  return machines
    .filter(({ status }) => ['running', 'moving'].includes(machineState(status)))
    .map((machine) => ({ machine, perHour: perHour(machine.id) }))
    .sort(
      (one, other) =>
        textOrder()(one.perHour[0]?.currency ?? '~', other.perHour[0]?.currency ?? '~') ||
        (other.perHour[0]?.millionths ?? 0) - (one.perHour[0]?.millionths ?? 0) ||
        textOrder()(one.machine.name, other.machine.name),
    )
}
