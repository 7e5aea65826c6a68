import { computed } from 'vue'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'

const startOf = ({ startedAt, status }: MachineView): number =>
  startedAt ?? (machineState(status) === 'moving' ? Infinity : 0)

/** The newest machine of the account whose flavor is known: one that is being created, else the one started last. */
export function useLastMachine(kind: MachineKind = 'machine') {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  return computed((): MachineView | undefined => {
    const list: readonly MachineView[] = kind === 'machine' ? fleet.list : bareMetal.list
    const known = list.filter(({ flavor }) => flavor.name !== null)
    return known.reduce<MachineView | undefined>(
      (last, one) => (last && startOf(last) >= startOf(one) ? last : one),
      undefined,
    )
  })
}
