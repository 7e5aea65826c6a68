import { computed } from 'vue'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineView } from '#shared/bridge/fleet'
import { useBareMetal } from '../../stores/bare-metal'
import { useCreation } from '../../stores/creation'
import { useFleet } from '../../stores/fleet'

/** The machine of the account, of those whose flavor is known, that was created here or started last. */
export function useLastMachine(kind: MachineKind = 'machine') {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const creation = useCreation()
  return computed((): MachineView | undefined => {
    const sent = new Map(
      creation.list.flatMap(({ state, sentAt }) => ('machine' in state ? [[state.machine, sentAt]] : [])),
    )
    const timeOf = ({ id, startedAt }: MachineView): number => sent.get(id) ?? startedAt ?? 0
    const list: readonly MachineView[] = kind === 'machine' ? fleet.list : bareMetal.list
    return list
      .filter(({ flavor }) => flavor.name !== null)
      .reduce<MachineView | undefined>(
        (last, one) => (last && timeOf(last) >= timeOf(one) ? last : one),
        undefined,
      )
  })
}
