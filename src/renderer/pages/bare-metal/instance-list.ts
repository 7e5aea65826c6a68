import type { BareMetalView } from '#shared/bridge/bare-metal'
import { type MachineState, machineState } from '#shared/service/machine-state'
import { t } from '../../app/i18n'
import type { GridColumn } from '../../parts/grid-columns'
import { matching, sortedBy, type SortValue } from '../../parts/rows'
import { gpuWords, statusWords } from '../machines/machine-words'

export type InstanceKey = 'name' | 'state' | 'gpu' | 'region' | 'address' | 'flavor' | 'uptime'

/** The state of an instance as a person reads it. Where the service tells no status, only that it is there is known. */
export function stateWords({ presence, status }: BareMetalView): string {
  if (presence !== 'there') return t(`bareMetal.presence.${presence}`)
  return status === null ? t('bareMetal.presence.there') : statusWords(status)
}

export const stateOf = ({ presence, status }: BareMetalView): MachineState =>
  presence === 'gone' ? 'failed' : presence === 'unread' ? 'other' : machineState(status)

function valueOf(instance: BareMetalView, key: InstanceKey): SortValue {
  switch (key) {
    case 'state':
      return stateWords(instance)
    case 'gpu':
      return gpuWords(instance.flavor)
    case 'flavor':
      return instance.flavor.name
    case 'uptime':
      // The longest up started first.
      return instance.startedAt === null ? null : -instance.startedAt
    default:
      return instance[key]
  }
}

export const sortInstances = (instances: readonly BareMetalView[], key: InstanceKey, descending: boolean) =>
  sortedBy(
    instances,
    (instance) => valueOf(instance, key),
    descending,
    ({ name }) => name,
  )

export const findInstances = (
  instances: readonly BareMetalView[],
  filter: string,
): readonly BareMetalView[] =>
  matching(instances, filter, (instance) => {
    const { id, name, address, region, flavor } = instance
    return [id, name, address, region, flavor.name, gpuWords(flavor), stateWords(instance)]
  })

export function instanceColumns(): readonly GridColumn<InstanceKey>[] {
  const column = (key: InstanceKey, min: number, grow: number, worth: number): GridColumn<InstanceKey> => ({
    ...{ key, label: t(`bareMetal.columns.${key}`), min, grow, worth },
  })
  return [
    column('name', 150, 3, 0),
    column('state', 120, 1, 1),
    column('flavor', 140, 2, 6),
    column('gpu', 150, 2, 2),
    column('region', 100, 1, 4),
    column('address', 132, 1, 3),
    column('uptime', 100, 1, 5),
  ]
}
