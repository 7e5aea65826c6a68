import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { useAccounts } from '../../stores/accounts'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { useSpending } from '../../stores/spending'
import { inOrder } from './account-groups'
import { useMachineCosts } from './machine-costs'
import { runningMachines } from './running'

/** Machines shown of one account: the list of machines shows all. */
const shown = 12

/** What runs in each account, the dearest first; `read`: whether every list has been read. */
export function useRunningGroups() {
  const accounts = useAccounts()
  const bareMetal = useBareMetal()
  const fleet = useFleet()
  const spending = useSpending()

  const idsOf = (account: AccountId): readonly string[] =>
    runningMachines([...(fleet.fleets.get(account)?.items.values() ?? [])], () => null).map(
      ({ machine }) => machine.id,
    )
  const costs = useMachineCosts(() =>
    accounts.all.map(({ id }) => ({
      account: id,
      machines: idsOf(id),
      asOf: spending.of.get(id)?.usageAsOf ?? 0,
    })),
  )
  const groups = computed(() =>
    inOrder(accounts.all).flatMap((account) => {
      const machines = runningMachines([...(fleet.fleets.get(account.id)?.items.values() ?? [])], (machine) =>
        costs.perHour(account.id, machine),
      )
      return machines.length > 0
        ? [{ account, machines: machines.slice(0, shown), count: machines.length }]
        : []
    }),
  )
  /** Charged for and in no list: bare metal that the service does not list, and that nobody added here. */
  const unlisted = computed(() =>
    accounts.all.reduce((count, { id }) => {
      const charged = spending.of.get(id)?.running.machines ?? 0
      const listed =
        (fleet.fleets.get(id)?.items.size ?? charged) + (bareMetal.lists.get(id)?.items.size ?? 0)
      return count + Math.max(0, charged - listed)
    }, 0),
  )
  const read = computed(() =>
    accounts.all.every(
      ({ id, state }) => state !== 'signed-in' || (fleet.fleets.get(id)?.status.asOf ?? null) !== null,
    ),
  )

  return { groups, read, unlisted }
}
