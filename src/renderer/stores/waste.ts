import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { WasteItem, WasteTotal, WasteView } from '#shared/bridge/waste'
import { inOrder, wasteTotals } from '#shared/money/waste'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'

/** An item with the account that pays for it. */
export type AccountWaste = WasteItem & { readonly account: AccountId }

/** The waste of own accounts together, or of the sandbox: its money is never added to real money. */
export interface WasteGroup {
  readonly sandbox: boolean
  readonly items: readonly AccountWaste[]
  readonly totals: readonly WasteTotal[]
}

/** What is paid for and serves nobody, in every account. */
export const useWaste = defineStore('waste', () => {
  const accounts = useAccounts()
  const { values, follow } = usePerAccount<WasteView>('waste.list', (account) =>
    bridge.call('waste.list', { account }),
  )
  const ofAccount = computed(
    () =>
      new Map(
        [...values].map(([account, { items }]) => [account, new Map(items.map((item) => [item.id, item]))]),
      ),
  )
  const groups = computed(() =>
    [false, true].flatMap((sandbox): readonly WasteGroup[] => {
      const items = inOrder(
        accounts.all
          .filter((one) => one.sandbox === sandbox)
          .flatMap(({ id: account }) =>
            (values.get(account)?.items ?? []).map((item) => ({ ...item, account })),
          ),
      )
      return items.length === 0 ? [] : [{ sandbox, items, totals: wasteTotals(items) }]
    }),
  )
  /** Of the account and its resource; null where that is no waste. */
  const of = (account: AccountId | null, id: string): WasteItem | null =>
    account === null ? null : (ofAccount.value.get(account)?.get(id) ?? null)

  /** What the person is asked to end. */
  const asked = shallowRef<AccountWaste | null>(null)
  const ask = (item: AccountWaste | null) => (asked.value = item)

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('waste.changed', (view) => values.set(view.account, view))
    follow()
  }
  return { groups, of, asked, ask, start }
})
