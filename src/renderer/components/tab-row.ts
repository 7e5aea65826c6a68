/** A tab of a row. `width` is in pixels, 0 before the row is laid out. */
interface MeasuredTab<Id extends string = string> {
  readonly id: Id
  readonly width: number
}

/** Most used tabs first; tabs with equal uses stay in their usual order. */
const byUse = <Id extends string>(
  tabs: readonly MeasuredTab<Id>[],
  uses: Readonly<Record<string, number>>,
): readonly MeasuredTab<Id>[] => tabs.toSorted((left, right) => (uses[right.id] ?? 0) - (uses[left.id] ?? 0))

/**
 * Divides tabs into the row and the menu after it. The row has the most used tabs in their usual order, the menu has the
 * rest, the most used first. `room`, `gap` and `menuWidth` (the button of the menu) are in pixels. The row leaves space for
 * the widest tab of the menu, so that no tab moves when one of the menu is selected.
 */
export function divideTabs<Id extends string>(
  tabs: readonly MeasuredTab<Id>[],
  uses: Readonly<Record<string, number>>,
  { room, gap, menuWidth }: { readonly room: number; readonly gap: number; readonly menuWidth: number },
): { readonly row: readonly Id[]; readonly menu: readonly Id[] } {
  const all = tabs.map(({ id }) => id)
  const widthOf = (some: readonly MeasuredTab<Id>[]): number =>
    some.reduce((sum, { width }) => sum + width + gap, -gap)
  if (widthOf(tabs) <= room || room === 0) return { row: all, menu: [] }
  const ordered = byUse(tabs, uses)
  const fits = (count: number): boolean => {
    const widest = Math.max(...ordered.slice(count).map(({ width }) => width))
    return widthOf(ordered.slice(0, count)) + gap + widest + menuWidth <= room
  }
  let count = tabs.length - 1
  while (count > 1 && !fits(count)) count -= 1
  const menu = ordered.slice(count).map(({ id }) => id)
  return { row: all.filter((id) => !menu.includes(id)), menu }
}
