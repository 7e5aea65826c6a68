import type { AccountId } from '#shared/bridge/account'
import type { ListChange } from '#shared/bridge/listing'
import { failureOf, type Failure } from '#shared/failure'
import { applyChange, catchUp, type ListSnapshot, type ListState } from './list-state'
import { followAccounts, useAccountMap } from './per-account'

/** One list of every account, kept in step by revision. `read` asks for a snapshot; `name` is what a report names where that fails. */
export function useListMirror<View extends { readonly id: string }, Status>(
  name: string,
  read: (account: AccountId) => Promise<ListSnapshot<View, Status>>,
) {
  const lists = useAccountMap<ListState<View, Status>>()
  /** Why a snapshot could not be had. */
  const unread = useAccountMap<Failure>()
  // Changes that arrive while a snapshot is on its way; a key here means that one is.
  const arrived = new Map<AccountId, ListChange<View, Status>[]>()

  async function load(account: AccountId): Promise<void> {
    if (arrived.has(account)) return
    const changes: ListChange<View, Status>[] = []
    arrived.set(account, changes)
    try {
      for (;;) {
        const step = catchUp(await read(account), changes)
        if (step.kind !== 'applied') continue
        lists.set(account, step.list)
        unread.delete(account)
        return
      }
    } catch (error) {
      unread.set(account, failureOf(error, name))
    } finally {
      arrived.delete(account)
    }
  }

  function receive(change: ListChange<View, Status>): void {
    const waiting = arrived.get(change.account)
    if (waiting) {
      waiting.push(change)
      return
    }
    const list = lists.get(change.account)
    const step = list ? applyChange(list, change) : { kind: 'missed' as const }
    if (step.kind === 'applied') lists.set(change.account, step.list)
    if (step.kind === 'missed') void load(change.account)
  }

  /** Subscribe first, then follow. */
  const follow = (): void => followAccounts(lists, load)

  return { lists, unread, load, receive, follow }
}
