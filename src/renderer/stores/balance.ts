import { defineStore } from 'pinia'
import type { BalanceView } from '#shared/bridge/balance'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

export const useBalance = defineStore('balance', () => {
  const { values, follow } = usePerAccount<BalanceView | null>('balance.read', (account) =>
    bridge.call('balance.read', { account }),
  )

  function start(): void {
    bridge.on('balance.changed', ({ account, balance }) => values.set(account, balance))
    follow()
  }

  return { of: values, start }
})
