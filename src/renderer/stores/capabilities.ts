import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { Capabilities, CapabilityName, CapabilityState } from '#shared/bridge/capability'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

/** Known capabilities of each account's service beyond its specification. */
export const useCapabilities = defineStore('capabilities', () => {
  const { values, follow } = usePerAccount<Capabilities>('capabilities.read', (account) =>
    bridge.call('capabilities.read', { account }),
  )

  const of = (account: AccountId, name: CapabilityName): CapabilityState =>
    values.get(account)?.[name] ?? 'unknown'

  function start(): void {
    bridge.on('capabilities.changed', ({ account, capabilities }) => values.set(account, capabilities))
    follow()
  }

  return { of, start }
})
