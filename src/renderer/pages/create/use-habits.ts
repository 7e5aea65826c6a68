import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FlavorView, MachineKind } from '#shared/bridge/catalog'
import { useLastMachine } from '../../features/creation/last-machine'
import { useActiveCosts } from '../../stores/active-costs'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { type Habits, usualCreation } from './choices'

/** What the account's own machines say about a new one. */
export function useHabits(account: AccountId, kind: MachineKind) {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const costs = useActiveCosts()
  costs.follow(() => [account])
  const known = computed(() => (kind === 'machine' ? fleet.list : bareMetal.list))
  const last = useLastMachine(kind)
  return {
    known,
    habits: computed((): Habits => ({
      last: last.value,
      names: new Set([...fleet.list, ...bareMetal.list].map(({ name }) => name)),
    })),
    /** What a resource is charged now, by currency; none: unknown. */
    pricesPerHour: (resource: { readonly id: string } | null) =>
      resource ? costs.amounts(account, resource.id, 'perHour') : [],
    usualSeconds(flavor: FlavorView | null): number | null {
      const charged = costs.values.get(account)
      const lives = known.value.map((one) => ({
        ...one,
        createdAt: charged?.get(one.id)?.[0]?.createdAt ?? null,
      }))
      return usualCreation(lives, flavor?.name ?? null)
    },
  }
}
