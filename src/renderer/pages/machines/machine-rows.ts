import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import type { Money } from '#shared/money/money'
import { type RowModel, rowModel, type SortValue } from '../../components/rows'
import { gpuText, statusText } from '../../features/machine-text'
import { stateRank } from './machine-states'

export type MachineColumn =
  | 'name'
  | 'state'
  | 'flavor'
  | 'gpu'
  | 'perHour'
  | 'load'
  | 'region'
  | 'address'
  | 'uptime'
  | 'soFar'

/** Returns the start of a running machine in epoch seconds; null if it is not running, or unknown. */
export const upSince = ({ status, startedAt }: MachineView): number | null =>
  machineState(status) === 'running' || machineState(status) === 'other' ? startedAt : null

function valueOf(machine: MachineView, key: MachineColumn): SortValue {
  const { status, flavor } = machine
  switch (key) {
    case 'state':
      return [stateRank(status), status ?? '']
    case 'flavor':
      return flavor.name
    case 'gpu':
      return flavor.gpu ? [flavor.gpu, flavor.gpuCount ?? 0] : null
    case 'load':
    case 'perHour':
    case 'soFar':
      return null
    case 'uptime': {
      // Negated: the longest uptime has the earliest start.
      const since = upSince(machine)
      return since === null ? null : -since
    }
    default:
      return machine[key]
  }
}

/** Figures for sorting that are not part of a machine's record. */
export interface MachineFigures {
  /** Null: unknown or free. */
  amount(machine: string, which: 'perHour' | 'soFar'): Money | null
  load(machine: string): number | null
}

export const machineRows = rowModel<MachineView, MachineColumn>({
  valueOf,
  nameOf: ({ name }) => name,
  texts: ({ name, flavor, address, region, status, id }) => [
    name,
    gpuText(flavor),
    flavor.name,
    address,
    region,
    status,
    statusText(status),
    id,
  ],
})

/** Returns the row model with costs and loads. Amounts of different currencies are not compared. */
export const machineRowsWith = ({ amount, load }: MachineFigures): RowModel<MachineView, MachineColumn> => ({
  ...machineRows,
  valueOf(machine, key) {
    if (key === 'load') return load(machine.id)
    if (key !== 'perHour' && key !== 'soFar') return valueOf(machine, key)
    const money = amount(machine.id, key)
    return money && [money.currency, money.millionths]
  },
})
