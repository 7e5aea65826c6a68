import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { SpendingView } from '#shared/bridge/cost'
import { bridge } from '../platform/bridge'
import { usePerAccount, useSelected } from './per-account'

/** Spending of each account, as the main process computes it. */
export const useSpending = defineStore('spending', () => {
  const { values, follow } = usePerAccount<SpendingView>('cost.spending', (account) =>
    bridge.call('cost.spending', { account }),
  )

  const view = useSelected(values)
  /** Spending of the selected account; null while its usage is unknown. */
  const selected = computed(() => (view.value?.usageAsOf === null ? null : view.value))

  function start(): void {
    bridge.on('cost.changed', (changed) => values.set(changed.account, changed))
    follow()
  }

  return { of: values, selected, start }
})
