import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FlavorView, MachineKind } from '#shared/bridge/catalog'
import { useLastMachine } from '../../features/creation/last-machine'
import { useActiveCosts } from '../../stores/active-costs'
import { useArmedCreations } from '../../stores/armed-creations'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { type Habits, usualCreation } from './choices'

/** Defaults and prices that follow from the account's existing machines. */
export function useHabits(account: AccountId, kind: MachineKind) {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const armed = useArmedCreations()
  const costs = useActiveCosts()
  costs.follow(() => [account])
  const known = computed(() => (kind === 'machine' ? fleet.list : bareMetal.list))
  const last = useLastMachine(kind)
  return {
    known,
    habits: computed((): Habits => ({
      last: last.value,
      names: new Set([...fleet.list, ...bareMetal.list, ...armed.all].map(({ name }) => name)),
    })),
    /** Returns the current prices of a resource, one per currency; empty: unknown. */
    pricesPerHour: (resource: { readonly id: string } | null) =>
      resource ? costs.amounts(account, resource.id, 'perHour') : [],
    usualSeconds(flavor: FlavorView | null): number | null {
      const charged = costs.values.get(account)
      const lives = known.value.map((machine) => ({
        ...machine,
        createdAt: charged?.get(machine.id)?.[0]?.createdAt ?? null,
      }))
      return usualCreation(lives, flavor?.name ?? null)
    },
  }
}
