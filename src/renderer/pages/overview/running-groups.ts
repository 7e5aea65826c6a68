import { computed } from 'vue'
import { useAccounts } from '../../stores/accounts'
import { useActiveCosts } from '../../stores/active-costs'
import { useFleet } from '../../stores/fleet'
import { inOrder } from './account-groups'
import { runningMachines } from './running'

/** Upper bound on machines per account; the machine list shows all. */
const maxMachines = 12

/** Running machines of each account, the most expensive first; `read`: all lists have been read. */
export function useRunningGroups() {
  const accounts = useAccounts()
  const fleet = useFleet()
  const costs = useActiveCosts()

  costs.follow(() => accounts.all.map(({ id }) => id))
  const groups = computed(() =>
    inOrder(accounts.all).flatMap((account) => {
      const machines = runningMachines([...(fleet.fleets.get(account.id)?.items.values() ?? [])], (machine) =>
        costs.amounts(account.id, machine, 'perHour'),
      )
      return machines.length > 0
        ? [{ account, machines: machines.slice(0, maxMachines), count: machines.length }]
        : []
    }),
  )
  const read = computed(() =>
    accounts.all.every(
      ({ id, state }) => state !== 'signed-in' || (fleet.fleets.get(id)?.status.asOf ?? null) !== null,
    ),
  )

  return { groups, read }
}
