import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId, AccountView } from '#shared/bridge/account'
import type { WasteItem, WasteTotal, WasteView } from '#shared/bridge/waste'
import type { Failure } from '#shared/failure'
import { inOrder, wasteTotals } from '#shared/money/waste'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'

/** An item with the account that pays for it. */
export type AccountWaste = WasteItem & { readonly account: AccountId }

/** How far the waste of accounts is known: what could not be read may hide some. */
export type WasteReading =
  | { readonly kind: 'read' | 'checking' | 'signed-out' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The waste of own accounts together, or of the sandbox: its money is never added to real money. */
export interface WasteGroup {
  readonly sandbox: boolean
  readonly items: readonly AccountWaste[]
  readonly totals: readonly WasteTotal[]
  readonly reading: WasteReading
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
  /** The worst of these accounts: one that is being read, else one that cannot be, else all that are signed out. */
  function readingOf(of: readonly AccountView[]): WasteReading {
    const unread = of.filter(({ id }) => values.get(id)?.read !== true)
    const signedIn = unread.filter(({ state }) => state !== 'signed-out')
    if (signedIn.some(({ id }) => !values.get(id)?.failure)) return { kind: 'checking' }
    const [failure] = signedIn.flatMap(({ id }) => values.get(id)?.failure ?? [])
    if (failure) return { kind: 'failed', failure }
    return { kind: unread.length > 0 && unread.length === of.length ? 'signed-out' : 'read' }
  }
  const reading = computed(() => readingOf(accounts.all))
  const groups = computed(() =>
    [false, true].map((sandbox): WasteGroup => {
      const of = accounts.all.filter((one) => one.sandbox === sandbox)
      const items = inOrder(
        of.flatMap(({ id: account }) =>
          (values.get(account)?.items ?? []).map((item) => ({ ...item, account })),
        ),
      )
      return { sandbox, items, totals: wasteTotals(items), reading: readingOf(of) }
    }),
  )
  /** Those that have something to show. */
  const found = computed(() => groups.value.filter(({ items }) => items.length > 0))
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
  return { groups, found, reading, ofAccount, of, asked, ask, start }
})
