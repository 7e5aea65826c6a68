import { defineStore } from 'pinia'
import { shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { Money } from '#shared/money/money'
import { bridge } from '../platform/bridge'
import { useSpending } from './spending'

/** What each resource of an account is charged now; read only while a page follows it. */
export const useActiveCosts = defineStore('active-costs', () => {
  const spending = useSpending()
  const values = shallowReactive(new Map<AccountId, ReadonlyMap<string, ActiveCost>>())

  async function read(account: AccountId): Promise<void> {
    try {
      const costs = await bridge.call('cost.active', { account })
      values.set(account, new Map(costs.map((cost) => [cost.id, cost])))
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

  const amount = (account: AccountId | null, id: string, which: 'perHour' | 'soFar'): Money | null => {
    const cost = account === null ? undefined : values.get(account)?.get(id)
    const millionths = cost?.[which] ?? null
    return cost && millionths !== null ? { currency: cost.currency, millionths } : null
  }
  return {
    values,
    follow,
    /** Null where nothing is charged, or it is unknown. */
    perHour: (account: AccountId | null, id: string): Money | null => amount(account, id, 'perHour'),
    /** In its whole life. */
    soFar: (account: AccountId | null, id: string): Money | null => amount(account, id, 'soFar'),
  }
})
