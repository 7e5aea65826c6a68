import type { AccountId } from '#shared/bridge/account'
import { type Failure, failureOf } from '#shared/failure'
import { useAccountMap, useSelected } from './per-account'
import { useSignIn } from './sign-in'

/** A list of each account that is read when a page asks for it. `title` names the attempt in failures. */
export function useAskedLists<List>(title: () => string, read: (account: AccountId) => Promise<List>) {
  const signIn = useSignIn()
  const lists = useAccountMap<List>()
  const failures = useAccountMap<Failure>()
  const current = useSelected(lists)
  const failure = useSelected(failures)

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
