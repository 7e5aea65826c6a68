import type { BareMetalView } from '#shared/bridge/bare-metal'
import { type MachineState, machineState } from '#shared/service/machine-state'
import { t } from '../../platform/i18n'
import { columnMaker, type GridColumn } from '../../components/grid-columns'
import { rowModel, type SortValue } from '../../components/rows'
import { gpuText, statusText } from '../../features/machine-text'

export type InstanceKey = 'name' | 'state' | 'gpu' | 'region' | 'address' | 'flavor' | 'uptime'

/** Returns whether an instance is ready: the specification has no status of bare metal (api-spec.md §2). */
const isPrepared = ({ address, startedAt }: BareMetalView): boolean => address !== null || startedAt !== null

/** Returns the state as text: the service's status, else a state derived from address and start. */
export function stateText(instance: BareMetalView): string {
  const { presence, status } = instance
  if (presence !== 'there') return t(`bareMetal.presence.${presence}`)
  if (status !== null) return statusText(status)
  return t(isPrepared(instance) ? 'bareMetal.presence.started' : 'bareMetal.presence.preparing')
}

export function stateOf(instance: BareMetalView): MachineState {
  const { presence, status } = instance
  if (presence !== 'there') return presence === 'gone' ? 'failed' : 'other'
  return status === null && !isPrepared(instance) ? 'moving' : machineState(status)
}

/** Returns whether an instance runs: the service reports it, or has no status and an address or start. */
export const isStarted = (instance: BareMetalView): boolean =>
  instance.presence === 'there' &&
  (instance.status === null ? isPrepared(instance) : machineState(instance.status) === 'running')

function valueOf(instance: BareMetalView, key: InstanceKey): SortValue {
  switch (key) {
    case 'state':
      return stateText(instance)
    case 'gpu':
      return gpuText(instance.flavor)
    case 'flavor':
      return instance.flavor.name
    case 'uptime':
      // Negated: the longest uptime has the earliest start.
      return instance.startedAt === null ? null : -instance.startedAt
    default:
      return instance[key]
  }
}

export const instanceRows = rowModel<BareMetalView, InstanceKey>({
  valueOf,
  nameOf: ({ name }) => name,
  texts: (instance) => {
    const { id, name, address, region, flavor } = instance
    return [id, name, address, region, flavor.name, gpuText(flavor), stateText(instance)]
  },
})

const column = columnMaker((key: InstanceKey) => t(`bareMetal.columns.${key}`))

export const instanceColumns = (): readonly GridColumn<InstanceKey>[] => [
  column('name', 150, 3, 0),
  column('state', 120, 1, 1),
  column('flavor', 140, 2, 6),
  column('gpu', 150, 2, 2),
  column('region', 100, 1, 4),
  column('address', 132, 1, 3),
  column('uptime', 100, 1, 5),
]
