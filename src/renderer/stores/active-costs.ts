import { defineStore } from 'pinia'
import { watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { Money } from '#shared/money/money'
import { bridge } from '../platform/bridge'
import { useAccountMap } from './per-account'
import { useSpending } from './spending'

/** What each resource of an account is charged now; read only while a page follows it. */
export const useActiveCosts = defineStore('active-costs', () => {
  const spending = useSpending()
  const values = useAccountMap<ReadonlyMap<string, readonly ActiveCost[]>>()

  async function read(account: AccountId): Promise<void> {
    try {
      const costs = await bridge.call('cost.active', { account })
      const byId = new Map<string, ActiveCost[]>()
      for (const cost of costs) byId.set(cost.id, [...(byId.get(cost.id) ?? []), cost])
      values.set(account, byId)
    } catch (error) {
      // What things cost is then as before; the next change of the spending asks again.
      console.error('cost.active', error)
    }
  }

  /** Follows these accounts as long as the component exists. */
  function follow(accounts: () => readonly AccountId[]): void {
    watch(
      () => accounts().map((account) => `${account} ${String(spending.of.get(account)?.asOf ?? 0)}`),
      (asked, before = []) => {
        for (const [at, account] of accounts().entries())
          if (!before.includes(asked[at] ?? '')) void read(account)
      },
      { immediate: true },
    )
  }

  /** One for each currency that it is charged in; none where nothing is charged, or it is unknown. */
  const amounts = (account: AccountId | null, id: string, which: 'perHour' | 'soFar'): readonly Money[] =>
    (account === null ? [] : (values.get(account)?.get(id) ?? [])).flatMap((cost) => {
      const millionths = cost[which]
      return millionths === null ? [] : [{ currency: cost.currency, millionths }]
    })
  const amount = (account: AccountId | null, id: string, which: 'perHour' | 'soFar'): Money | null =>
    amounts(account, id, which)[0] ?? null
  return {
    values,
    follow,
    amounts,
    /** The first of these; null where there is none. */
    perHour: (account: AccountId | null, id: string): Money | null => amount(account, id, 'perHour'),
    /** In its whole life. */
    soFar: (account: AccountId | null, id: string): Money | null => amount(account, id, 'soFar'),
  }
})
