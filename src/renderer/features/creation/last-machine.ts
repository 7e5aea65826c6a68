import { computed } from 'vue'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineView } from '#shared/bridge/fleet'
import { useBareMetal } from '../../stores/bare-metal'
import { useCreation } from '../../stores/creation'
import { useFleet } from '../../stores/fleet'

/** Returns the selected account's newest machine with a known flavor, by the time of its creation here or its start. */
export function useLastMachine(kind: MachineKind = 'machine') {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const creation = useCreation()
  return computed((): MachineView | undefined => {
    const sentTimes = new Map(
      creation.list.flatMap(({ state, sentAt }) => ('machine' in state ? [[state.machine, sentAt]] : [])),
    )
    const timeOf = ({ id, startedAt }: MachineView): number => sentTimes.get(id) ?? startedAt ?? 0
    const list: readonly MachineView[] = kind === 'machine' ? fleet.list : bareMetal.list
    return list
      .filter(({ flavor }) => flavor.name !== null)
      .reduce<MachineView | undefined>(
        (newest, machine) => (newest && timeOf(newest) >= timeOf(machine) ? newest : machine),
        undefined,
      )
  })
}
