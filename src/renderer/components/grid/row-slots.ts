/**
 * Which of the elements that stand for rows each row has, by number. Whoever had one keeps it; one that a row has left is
 * taken over by the next that needs one, so that a filter changes elements and makes none. That of `focused`, the row
 * with the focus in it, goes with its row: the focus never comes to another one. Both are in the order that is seen. Pure.
 */
export function rowSlots(
  before: ReadonlyMap<string, number>,
  ids: readonly string[],
  focused: string | null,
): ReadonlyMap<string, number> {
  const shown = new Set(ids)
  const left = [...before].flatMap(([id, slot]) => (shown.has(id) || id === focused ? [] : [slot]))
  let fresh = 1 + Math.max(-1, ...before.values())
  let taken = 0
  return new Map(ids.map((id) => [id, before.get(id) ?? left[taken++] ?? fresh++]))
}
