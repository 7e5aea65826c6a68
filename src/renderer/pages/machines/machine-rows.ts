import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import { rowModel, type SortValue } from '../../components/rows'
import { gpuText, statusText } from '../../features/machine-text'
import { stateRank } from './machine-states'

export type MachineColumn = 'name' | 'state' | 'flavor' | 'gpu' | 'load' | 'region' | 'address' | 'uptime'

/** Epoch seconds since when a machine is up; null where it is not, or that is unknown. */
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
      return null
    case 'uptime': {
      // The longest up started first.
      const since = upSince(machine)
      return since === null ? null : -since
    }
    default:
      return machine[key]
  }
}

export const machineRows = rowModel<MachineView, MachineColumn>({
  valueOf,
  nameOf: ({ name }) => name,
  texts: ({ name, flavor, address, region, status, id }) => [
    ...[name, gpuText(flavor), flavor.name, address, region, status, statusText(status), id],
  ],
})
