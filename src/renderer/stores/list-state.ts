import type { ListChange } from '#shared/bridge/listing'

/** One account's list. Rows are immutable: a change replaces them. */
export interface ListState<View, Status> {
  readonly revision: number
  readonly items: Items<View>
  readonly status: Status
}

export interface ListSnapshot<View, Status> {
  readonly revision: number
  readonly items: readonly View[]
  readonly status: Status
}

/** Result of a change. `old`: applied before. `missed`: a revision is missing, so a new snapshot is needed. */
export type Step<View, Status> =
  | { readonly kind: 'applied'; readonly list: ListState<View, Status> }
  | { readonly kind: 'old' }
  | { readonly kind: 'missed' }

/** Rows by id, in order. Known rows change by copying one array: copying a map of 10,000 takes 100 times as long. */
interface Items<View> extends ReadonlyMap<string, View> {
  /** Replaces rows by id. Returns undefined if a row is unknown. */
  withRows(rows: readonly View[]): Items<View> | undefined
}

function itemsIn<View extends { readonly id: string }>(
  places: ReadonlyMap<string, number>,
  rows: readonly View[],
): Items<View> {
  const entries = () => rows.map((row): [string, View] => [row.id, row]).values()
  const items: Items<View> = {
    size: rows.length,
    has: (id) => places.has(id),
    get(id) {
      const place = places.get(id)
      return place === undefined ? undefined : rows[place]
    },
    keys: () => places.keys(),
    values: () => rows.values(),
    entries,
    [Symbol.iterator]: entries,
    forEach: (call, self) => rows.forEach((row) => call.call(self, row, row.id, items)),
    withRows(changed) {
      const next = [...rows]
      for (const row of changed) {
        const place = places.get(row.id)
        if (place === undefined) return undefined
        next[place] = row
      }
      return itemsIn(places, next)
    },
  }
  return items
}

function itemsOf<View extends { readonly id: string }>(rows: Iterable<View>): Items<View> {
  const byId = new Map<string, View>()
  for (const row of rows) byId.set(row.id, row)
  return itemsIn(new Map([...byId.keys()].map((id, place) => [id, place])), [...byId.values()])
}

export const listOf = <View extends { readonly id: string }, Status>({
  revision,
  items,
  status,
}: ListSnapshot<View, Status>): ListState<View, Status> => ({
  revision,
  items: itemsOf(items),
  status,
})

export function applyChange<View extends { readonly id: string }, Status>(
  list: ListState<View, Status>,
  change: ListChange<View, Status>,
): Step<View, Status> {
  if (change.revision <= list.revision) return { kind: 'old' }
  if (change.revision !== list.revision + 1) return { kind: 'missed' }
  const { revision, status, upserts, removes } = change
  // Most changes contain no rows. Reusing the map then spares its users the work.
  if (upserts.length === 0 && removes.length === 0) {
    return { kind: 'applied', list: { ...list, revision, status } }
  }
  const inPlace = removes.length === 0 ? list.items.withRows(upserts) : undefined
  if (inPlace) return { kind: 'applied', list: { revision, items: inPlace, status } }
  const removed = new Set(removes)
  const items = itemsOf([...list.items.values()].filter(({ id }) => !removed.has(id)).concat(upserts))
  return { kind: 'applied', list: { revision, items, status } }
}

/** Applies the changes that arrived while a snapshot was being read. */
export function catchUp<View extends { readonly id: string }, Status>(
  snapshot: ListSnapshot<View, Status>,
  arrived: readonly ListChange<View, Status>[],
): Step<View, Status> {
  let list = listOf(snapshot)
  for (const change of [...arrived].sort((left, right) => left.revision - right.revision)) {
    const step = applyChange(list, change)
    if (step.kind === 'missed') return step
    if (step.kind === 'applied') list = step.list
  }
  return { kind: 'applied', list }
}
