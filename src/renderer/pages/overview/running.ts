import type { MachineView } from '#shared/bridge/fleet'
import type { Money } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import { textOrder } from '#shared/locale'

/** A machine that runs or is on its way, with what it costs per hour as far as that is known. */
export interface RunningMachine {
  readonly machine: MachineView
  readonly perHour: Money | null
}

/** The dearest first, then by name. Amounts of different currencies are not compared: they stand by currency. */
export function runningMachines(
  machines: readonly MachineView[],
  perHour: (machine: string) => Money | null,
): readonly RunningMachine[] {
  return machines
    .filter(({ status }) => ['running', 'moving'].includes(machineState(status)))
    .map((machine) => ({ machine, perHour: perHour(machine.id) }))
    .sort(
      (one, other) =>
        textOrder()(one.perHour?.currency ?? '~', other.perHour?.currency ?? '~') ||
        (other.perHour?.millionths ?? 0) - (one.perHour?.millionths ?? 0) ||
        textOrder()(one.machine.name, other.machine.name),
    )
}
