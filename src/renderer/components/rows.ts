// Numbers inside names count as numbers: node-2 before node-10.
const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** What a row is sorted by. */
export type SortValue = string | number | null

function compareValues(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : compare(String(one), String(other))
}

/**
 * A sorted copy. What is missing stands last, whichever way the list is sorted; rows that compare equal stand by
 * `name`, then by id, so that the order never flickers.
 */
export function sortedBy<Row extends { readonly id: string }>(
  rows: readonly Row[],
  value: (row: Row) => SortValue,
  descending: boolean,
  name: (row: Row) => string,
): readonly Row[] {
  return [...rows].sort((one, other) => {
    const [left, right] = [value(one), value(other)]
    if ((left === null) !== (right === null)) return left === null ? 1 : -1
    const by = left === null || right === null ? 0 : compareValues(left, right)
    return (
      (descending ? -by : by) ||
      compare(name(one), name(other)) ||
      (one.id < other.id ? -1 : Number(one.id > other.id))
    )
  })
}

/** Rows in whose text every word of `filter` occurs, wherever it does. */
export function matching<Row>(
  rows: readonly Row[],
  filter: string,
  text: (row: Row) => readonly (string | null)[],
): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const all = text(row)
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
