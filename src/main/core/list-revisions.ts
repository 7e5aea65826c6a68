import type { AccountId } from '#shared/bridge/account'
import type { ListChange } from '#shared/bridge/listing'
import { changesBetween } from './list-changes'

/** What one account's list shows, by id, and each change to it with its revision. */
export function listRevisions<View extends { readonly id: string }, Status>(
  account: AccountId,
  initial: Status,
  publish: (change: ListChange<View, Status>) => void,
) {
  let revision = 0
  let views: ReadonlyMap<string, View> = new Map()
  let status = initial
  return {
    status: (): Status => status,
    view: (id: string): View | undefined => views.get(id),
    views: (): View[] => [...views.values()],
    revision: (): { account: AccountId; revision: number; status: Status } => ({ account, revision, status }),
    /** Publishes what differs from before, the status in any case. */
    replace(next: ReadonlyMap<string, View>, nextStatus: Status): void {
      const { upserts, removes } = changesBetween(views, next)
      views = next
      status = nextStatus
      revision += 1
      publish({ account, revision, upserts: [...upserts], removes: [...removes], status })
    },
  }
}
