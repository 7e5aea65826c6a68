/**
 * Assigns a slot (an element's key) to each visible row. Rows keep their slot; new rows reuse free slots, so that a
 * filter changes elements but creates none. The slot of the `focused` row is never reused: the focus must not move to
 * another row. Pure.
 */
export function rowSlots(
  before: ReadonlyMap<string, number>,
  ids: readonly string[],
  focused: string | null,
): ReadonlyMap<string, number> {
  const visible = new Set(ids)
  const freeSlots = [...before].flatMap(([id, slot]) => (visible.has(id) || id === focused ? [] : [slot]))
  let nextSlot = 1 + Math.max(-1, ...before.values())
  return new Map(ids.map((id) => [id, before.get(id) ?? freeSlots.shift() ?? nextSlot++]))
}
