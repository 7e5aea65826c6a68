import { defineStore } from 'pinia'
import { shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Capabilities, CapabilityName, CapabilityState } from '#shared/bridge/capability'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'

/** What each account's service offers beyond its specification, as far as it was found out. */
export const useCapabilities = defineStore('capabilities', () => {
  const accounts = useAccounts()
  const known = shallowReactive(new Map<AccountId, Capabilities>())

  const of = (account: AccountId, name: CapabilityName): CapabilityState =>
    known.get(account)?.[name] ?? 'unknown'

  /** Listens first, then reads every account there is and will be. */
  function start(): void {
    bridge.on('capabilities.changed', ({ account, capabilities }) => known.set(account, capabilities))
    watch(
      () => accounts.all.map(({ id }) => id),
      (ids) => {
        for (const id of known.keys()) if (!ids.includes(id)) known.delete(id)
        for (const id of ids) if (!known.has(id)) void read(id)
      },
      { immediate: true },
    )
  }

  async function read(account: AccountId): Promise<void> {
    try {
      const capabilities = await bridge.call('capabilities.read', { account })
      if (!known.has(account)) known.set(account, capabilities)
    } catch (error) {
      // Nothing is then known of it, which is a state of its own, until the next change.
      console.error('capabilities.read', error)
    }
  }

  return { of, start }
})
