import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId, AccountView } from '#shared/bridge/account'
import type { WasteItem, WasteTotal, WasteView } from '#shared/bridge/waste'
import type { Failure } from '#shared/failure'
import { type Money, sumByCurrency } from '#shared/money/money'
import { inOrder, wasteTotals } from '#shared/money/waste'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'

export type AccountWaste = WasteItem & { readonly account: AccountId }

/** State of the search for waste. Accounts that could not be read may have more. */
export type WasteReading =
  | { readonly kind: 'read' | 'checking' | 'signed-out' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Waste of all real accounts, or of the sandbox. Sandbox money is never added to real money. */
export interface WasteGroup {
  readonly sandbox: boolean
  readonly items: readonly AccountWaste[]
  /** Resources that may be unused, but were not measured. */
  readonly unchecked: readonly AccountWaste[]
  readonly totals: readonly WasteTotal[]
  /** Waste of ended resources, by currency. */
  readonly ended: readonly Money[]
  readonly reading: WasteReading
}

/** Resources of every account that cost money and are not used. */
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
  /** Returns the worst state of the accounts: one is being checked, one failed, or all are signed out. */
  function readingOf(members: readonly AccountView[]): WasteReading {
    const unread = members.filter(({ id }) => values.get(id)?.read !== true)
    const signedIn = unread.filter(({ state }) => state !== 'signed-out')
    if (signedIn.some(({ id }) => !values.get(id)?.failure)) return { kind: 'checking' }
    const [failure] = signedIn.flatMap(({ id }) => values.get(id)?.failure ?? [])
    if (failure) return { kind: 'failed', failure }
    return { kind: unread.length > 0 && unread.length === members.length ? 'signed-out' : 'read' }
  }
  const reading = computed(() => readingOf(accounts.all))
  const groups = computed(() =>
    [false, true].map((sandbox): WasteGroup => {
      const members = accounts.all.filter((account) => account.sandbox === sandbox)
      const all = (list: 'items' | 'unchecked') =>
        inOrder(
          members.flatMap(({ id: account }) =>
            (values.get(account)?.[list] ?? []).map((item) => ({ ...item, account })),
          ),
        )
      const items = all('items')
      const ended = sumByCurrency(members.flatMap(({ id }) => values.get(id)?.ended ?? []))
      return {
        sandbox,
        items,
        unchecked: all('unchecked'),
        totals: wasteTotals(items, ended),
        ended,
        reading: readingOf(members),
      }
    }),
  )
  const found = computed(() => groups.value.filter(({ items }) => items.length > 0))
  const of = (account: AccountId | null, id: string): WasteItem | null =>
    account === null ? null : (ofAccount.value.get(account)?.get(id) ?? null)

  /** The resources that the open dialog asks to delete; empty: none is open. */
  const asked = shallowRef<readonly AccountWaste[]>([])
  const ask = (items: readonly AccountWaste[]) => (asked.value = items)

  function start(): void {
    bridge.on('waste.changed', (view) => values.set(view.account, view))
    follow()
  }
  return { groups, found, reading, ofAccount, of, asked, ask, start }
})
