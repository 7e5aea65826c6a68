import { defineStore } from 'pinia'
import { watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { Money } from '#shared/money/money'
import { bridge } from '../platform/bridge'
import { useAccountMap } from './per-account'
import { useSpending } from './spending'

/** Current charges of each resource of an account, read only while a page follows the account. */
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
      // The last costs stay; the next change of the spending reads again.
      console.error('cost.active', error)
    }
  }

  function follow(accounts: () => readonly AccountId[]): void {
    watch(
      () => accounts().map((account) => `${account} ${String(spending.of.get(account)?.asOf ?? 0)}`),
      (keys, before = []) => {
        for (const [index, account] of accounts().entries())
          if (!before.includes(keys[index] ?? '')) void read(account)
      },
      { immediate: true },
    )
  }

  /** Returns the charge in each currency; empty if nothing is charged or the charge is unknown. */
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
    perHour: (account: AccountId | null, id: string): Money | null => amount(account, id, 'perHour'),
    soFar: (account: AccountId | null, id: string): Money | null => amount(account, id, 'soFar'),
  }
})
