import type { ListChange } from '#shared/bridge/listing'

/** What the window knows of one account's list. Rows are never changed in place: a new one replaces the old. */
export interface ListState<View, Status> {
  readonly revision: number
  readonly items: ReadonlyMap<string, View>
  readonly status: Status
}

/** A list as a whole. */
export interface ListSnapshot<View, Status> {
  readonly revision: number
  readonly items: readonly View[]
  readonly status: Status
}

/** What a change did: `old` was known already, `missed` needs a fresh snapshot. */
export type Step<View, Status> =
  | { readonly kind: 'applied'; readonly list: ListState<View, Status> }
  | { readonly kind: 'old' }
  | { readonly kind: 'missed' }

export const listOf = <View extends { readonly id: string }, Status>({
  revision,
  items,
  status,
}: ListSnapshot<View, Status>): ListState<View, Status> => ({
  revision,
  items: new Map(items.map((item) => [item.id, item])),
  status,
})

export function applyChange<View extends { readonly id: string }, Status>(
  list: ListState<View, Status>,
  change: ListChange<View, Status>,
): Step<View, Status> {
  if (change.revision <= list.revision) return { kind: 'old' }
  if (change.revision !== list.revision + 1) return { kind: 'missed' }
  const { revision, status, upserts, removes } = change
  // Most changes say only that nothing changed: the same map then spares everything that is built from it.
  if (upserts.length === 0 && removes.length === 0) {
    return { kind: 'applied', list: { ...list, revision, status } }
  }
  const items = new Map(list.items)
  for (const id of removes) items.delete(id)
  for (const item of upserts) items.set(item.id, item)
  return { kind: 'applied', list: { revision, items, status } }
}

/** A snapshot with the changes that arrived while it was on its way. */
export function catchUp<View extends { readonly id: string }, Status>(
  snapshot: ListSnapshot<View, Status>,
  arrived: readonly ListChange<View, Status>[],
): Step<View, Status> {
  let list = listOf(snapshot)
  for (const change of [...arrived].sort((one, other) => one.revision - other.revision)) {
    const step = applyChange(list, change)
    if (step.kind === 'missed') return step
    if (step.kind === 'applied') list = step.list
  }
  return { kind: 'applied', list }
}
