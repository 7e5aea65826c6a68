import type { ListChange } from '#shared/bridge/listing'

/** What the window knows of one account's list. Rows are never changed in place: a new one replaces the old. */
export interface ListState<View, Status> {
  readonly revision: number
  readonly items: Items<View>
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

/**
 * Rows by their ids in an order. A change of rows that are known shares `places` and copies one array: a map of 10,000 takes
 * a hundred times as long.
 */
interface Items<View> extends ReadonlyMap<string, View> {
  /** With other rows in the places of those with their ids; undefined where one has no place. */
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
  // Most changes say only that nothing changed: the same map then spares everything that is built from it.
  if (upserts.length === 0 && removes.length === 0) {
    return { kind: 'applied', list: { ...list, revision, status } }
  }
  const inPlace = removes.length === 0 ? list.items.withRows(upserts) : undefined
  if (inPlace) return { kind: 'applied', list: { revision, items: inPlace, status } }
  const gone = new Set(removes)
  const items = itemsOf([...list.items.values()].filter(({ id }) => !gone.has(id)).concat(upserts))
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
