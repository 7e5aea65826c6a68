import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '#shared/bridge/account'
import type { ListChange } from '#shared/bridge/listing'

function changesBetween<T extends { readonly id: string }>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Pick<ListChange<T, unknown>, 'upserts' | 'removes'> {
  return {
    upserts: [...after.values()].filter((item) => !isDeepStrictEqual(before.get(item.id), item)),
    removes: [...before.keys()].filter((id) => !after.has(id)),
  }
}

/** The list of one account as the window sees it. Publishes every change with its revision. */
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
    replace(next: ReadonlyMap<string, View>, nextStatus: Status): void {
      const { upserts, removes } = changesBetween(views, next)
      views = next
      status = nextStatus
      revision += 1
      publish({ account, revision, upserts, removes, status })
    },
  }
}
