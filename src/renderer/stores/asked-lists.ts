import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { type Failure, failureOf } from '#shared/failure'
import { useAccounts } from './accounts'
import { useAccountMap } from './per-account'
import { useSignIn } from './sign-in'

/** A list of each account that is read where a page asks for it; `title` names what was attempted. */
export function useAskedLists<List>(title: () => string, read: (account: AccountId) => Promise<List>) {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const lists = useAccountMap<List>()
  /** Why the last reading failed. */
  const failures = useAccountMap<Failure>()
  const current = computed(() => (accounts.selected ? (lists.get(accounts.selected.id) ?? null) : null))
  const failure = computed(() => (accounts.selected ? (failures.get(accounts.selected.id) ?? null) : null))

  async function load(account: AccountId): Promise<void> {
    try {
      const list = await signIn.withReauthentication(account, () => read(account))
      lists.set(account, list)
      failures.delete(account)
    } catch (error) {
      const reason = failureOf(error, title())
      if (reason.kind !== 'cancelled') failures.set(account, reason)
    }
  }

  return { lists, failures, current, failure, load }
}
