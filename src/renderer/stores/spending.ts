import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { SpendingView } from '#shared/bridge/cost'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'

/** What each account spends, as the main process reckons it. */
export const useSpending = defineStore('spending', () => {
  const accounts = useAccounts()
  const { values, follow } = usePerAccount<SpendingView>('cost.spending', (account) =>
    bridge.call('cost.spending', { account }),
  )

  /** Of the account that is looked at; null while nothing is known of it. */
  const selected = computed(() => {
    const view = accounts.selected ? values.get(accounts.selected.id) : undefined
    return view && view.usageAsOf !== null ? view : null
  })

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('cost.changed', (view) => values.set(view.account, view))
    follow()
  }

  return { of: values, selected, start }
})
