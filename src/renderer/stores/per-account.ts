import { shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { useAccounts } from './accounts'

/** One value of every account there is: read once, then as main pushes it. `name` is what a report names where reading fails. */
export function usePerAccount<Value>(name: string, read: (account: AccountId) => Promise<Value>) {
  const accounts = useAccounts()
  const values = shallowReactive(new Map<AccountId, Value>())

  async function load(account: AccountId): Promise<void> {
    try {
      const value = await read(account)
      // What was pushed meanwhile is newer.
      if (!values.has(account) && accounts.byId(account)) values.set(account, value)
    } catch (error) {
      // It is then unknown until the next change.
      console.error(name, error)
    }
  }

  /** Reads every account there is and will be. Listen first. */
  function follow(): void {
    watch(
      () => accounts.all.map(({ id }) => id),
      (ids) => {
        for (const id of values.keys()) if (!ids.includes(id)) values.delete(id)
        for (const id of ids) if (!values.has(id)) void load(id)
      },
      { immediate: true },
    )
  }

  return { values, follow }
}
