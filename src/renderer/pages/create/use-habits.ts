import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FlavorView, MachineKind } from '#shared/bridge/catalog'
import { useLastMachine } from '../../features/creation/last-machine'
import { useActiveCosts } from '../../stores/active-costs'
import { useArmedCreations } from '../../stores/armed-creations'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { type Habits, usualCreation } from './choices'
import type { Model } from './similar-machine'

/** Defaults and prices that follow from the account's existing machines. */
export function useHabits(account: AccountId, kind: MachineKind) {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const armed = useArmedCreations()
  const costs = useActiveCosts()
  costs.follow(() => [account])
  const store = kind === 'machine' ? fleet : bareMetal
  const known = computed(() => store.list)
  const last = useLastMachine(kind)
  return {
    /** Finds a machine by id, in a list that was read in this run. Fails as the reading does. */
    async find(id: string): Promise<Model | undefined> {
      if ((store.status?.asOf ?? null) === null) await store.refresh()
      return known.value.find((machine) => machine.id === id)
    },
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
