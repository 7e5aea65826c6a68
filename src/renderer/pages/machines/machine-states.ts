import type { MachineView } from '#shared/bridge/fleet'
import { machineState, type MachineState } from '#shared/service/machine-state'

/** How many machines are in one status, as the service says it; the empty text where it says none. */
export interface StatusCount {
  readonly status: string
  readonly count: number
}

const order: readonly MachineState[] = ['running', 'moving', 'stopped', 'failed', 'other']

export const stateRank = (status: string | null): number => order.indexOf(machineState(status))

/** The statuses present, running ones first. */
export function statusCounts(machines: readonly MachineView[]): readonly StatusCount[] {
  const counts = new Map<string, number>()
  for (const { status } of machines) counts.set(status ?? '', (counts.get(status ?? '') ?? 0) + 1)
  return [...counts]
    .map(([status, count]) => ({ status, count }))
    .sort(
      (one, other) =>
        stateRank(one.status) - stateRank(other.status) || one.status.localeCompare(other.status),
    )
}

export const inStatus = (machines: readonly MachineView[], status: string | null): readonly MachineView[] =>
  status === null ? machines : machines.filter((machine) => (machine.status ?? '') === status)
