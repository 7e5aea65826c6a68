import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { QuarantinedItem, LedgerState, StoreState } from '#shared/bridge/store'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

export const useLocalStore = defineStore('local-store', () => {
  const state = shallowRef<StoreState>({ kind: 'opening' })
  const { values, follow } = usePerAccount<LedgerState>('ledger.state', (account) =>
    bridge.call('ledger.state', { account }),
  )

  async function start(): Promise<void> {
    bridge.on('store.changed', (next) => (state.value = next))
    bridge.on('ledger.changed', (ledger) => values.set(ledger.account, ledger))
    follow()
    state.value = await bridge.call('store.state', {})
  }

  const retry = async (): Promise<void> => void (state.value = await bridge.call('store.retry', {}))
  const startAfresh = async (): Promise<void> =>
    void (state.value = await bridge.call('store.startAfresh', {}))

  const quarantine = shallowRef<readonly QuarantinedItem[]>([])
  const readQuarantine = async (): Promise<void> =>
    void (quarantine.value = await bridge.call('store.quarantine', {}))
  const exportQuarantined = ({ id }: QuarantinedItem) => bridge.call('store.exportQuarantined', { id })
  const eraseQuarantined = async ({ id }: QuarantinedItem): Promise<void> =>
    void (quarantine.value = await bridge.call('store.eraseQuarantined', { id }))

  return {
    state,
    ledgers: values,
    quarantine,
    start,
    retry,
    startAfresh,
    readQuarantine,
    exportQuarantined,
    eraseQuarantined,
  }
})
