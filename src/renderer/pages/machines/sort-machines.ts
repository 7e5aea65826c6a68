import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import { stateRank } from './machine-states'

export type SortKey = 'name' | 'state' | 'flavor' | 'gpu' | 'region' | 'address' | 'uptime'
export interface Sorting {
  readonly key: SortKey
  readonly descending: boolean
}

// Numbers inside names count as numbers: node-2 before node-10.
const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

type Compare = (one: MachineView, other: MachineView) => number

/** Compares by a value that may be missing; what is missing stands last, whichever way the list is sorted. */
function by<Value>(
  value: (machine: MachineView) => Value | null,
  compareValues: (one: Value, other: Value) => number,
  descending: boolean,
): Compare {
  return (one, other) => {
    const [left, right] = [value(one), value(other)]
    if (left === null) return right === null ? 0 : 1
    if (right === null) return -1
    return descending ? compareValues(right, left) : compareValues(left, right)
  }
}

const difference = (one: number, other: number): number => one - other

/** Epoch seconds since when a machine is up; null where it is not, or nobody told. */
export const upSince = ({ status, startedAt }: MachineView): number | null =>
  machineState(status) === 'running' || machineState(status) === 'other' ? startedAt : null

function comparison({ key, descending }: Sorting): Compare {
  switch (key) {
    case 'name':
      return by(({ name }) => name, compare, descending)
    case 'state':
      return by(
        ({ status }) => ({ rank: stateRank(status), status: status ?? '' }),
        (one, other) => one.rank - other.rank || compare(one.status, other.status),
        descending,
      )
    case 'flavor':
      return by(({ flavor }) => flavor.name, compare, descending)
    case 'gpu':
      return by(
        ({ flavor }) => (flavor.gpu ? { gpu: flavor.gpu, count: flavor.gpuCount ?? 0 } : null),
        (one, other) => compare(one.gpu, other.gpu) || one.count - other.count,
        descending,
      )
    case 'region':
      return by(({ region }) => region, compare, descending)
    case 'address':
      return by(({ address }) => address, compare, descending)
    case 'uptime':
      // The longest up started first.
      return by(upSince, difference, !descending)
  }
}

/** A sorted copy; machines that compare equal stand by name, then by id, so that the order never flickers. */
export function sortMachines(machines: readonly MachineView[], sorting: Sorting): readonly MachineView[] {
  const first = comparison(sorting)
  return [...machines].sort(
    (one, other) => first(one, other) || compare(one.name, other.name) || (one.id < other.id ? -1 : 1),
  )
}
