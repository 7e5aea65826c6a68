import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ListChange } from '#shared/bridge/listing'
import { failureOf, type Failure } from '#shared/failure'
import { applyChange, catchUp, type ListSnapshot, type ListState } from './list-state'
import { useAccounts } from './accounts'
import { followAccounts, useAccountMap, useSelected } from './per-account'

/** Mirrors one list of every account by revision. `read` reads a snapshot; `name` names the attempt in failures. */
export function useListMirror<View extends { readonly id: string }, Status>(
  name: string,
  read: (account: AccountId) => Promise<ListSnapshot<View, Status>>,
) {
  const accounts = useAccounts()
  const lists = useAccountMap<ListState<View, Status>>()
  const failures = useAccountMap<Failure>()
  /** Changes that arrive while a snapshot is being read, of the accounts that are being read. */
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
        failures.delete(account)
        return
      }
    } catch (error) {
      failures.set(account, failureOf(error, name))
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

  const follow = (): void => followAccounts(lists, load)

  /** Refreshes the selected account's list through `ask`, after reading a snapshot if there is none. */
  async function refresh(ask: (account: AccountId) => Promise<unknown>): Promise<void> {
    const account = accounts.selected?.id
    if (account === undefined) return
    if (!lists.has(account)) await load(account)
    await ask(account)
  }

  const current = useSelected(lists)
  const none: ReadonlyMap<string, View> = new Map()
  const items = computed(() => current.value?.items ?? none)
  return {
    lists,
    receive,
    follow,
    refresh,
    current,
    items,
    list: computed(() => [...items.value.values()]),
    status: computed(() => current.value?.status ?? null),
    failure: useSelected(failures),
  }
}
