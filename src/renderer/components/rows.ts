import { perLocale, textOrder } from '#shared/locale'
import { searchText } from '#shared/search-text'

/** What a row is sorted by: values of which the first that differs decides; null where it is missing. */
export type SortValue = string | number | readonly (string | number)[] | null

export interface Sorting<Key extends string = string> {
  readonly key: Key
  readonly descending: boolean
}

/** How the rows of a list are sorted, called and found. */
export interface RowModel<Row, Key extends string> {
  valueOf(row: Row, key: Key): SortValue
  nameOf(row: Row): string
  /** What a filter is matched against, in lower case. */
  textOf(row: Row): string
}

/** `texts`: what a filter is matched against. A row's text is put together once in a locale: rows never change in place. */
export function rowModel<Row extends object, Key extends string>({
  texts,
  ...model
}: Omit<RowModel<Row, Key>, 'textOf'> & {
  texts(row: Row): readonly (string | null)[]
}): RowModel<Row, Key> {
  const known = perLocale(() => new WeakMap<Row, string>())
  return {
    ...model,
    textOf(row) {
      const before = known().get(row)
      if (before !== undefined) return before
      const text = searchText(
        texts(row)
          .filter((one) => one !== null)
          .join('\n'),
      )
      known().set(row, text)
      return text
    },
  }
}

/** Another column begins ascending; the same one turns around. */
export const sortedByColumn = <Key extends string>(present: Sorting<Key>, key: Key): Sorting<Key> => ({
  key,
  descending: key === present.key && !present.descending,
})

/**
 * A sorted copy. What is missing stands last, whichever way the list is sorted; rows that compare equal stand by
 * name, then by id, so that the order never flickers.
 */
export function sortedBy<Row extends { readonly id: string }, Key extends string>(
  rows: readonly Row[],
  { valueOf, nameOf }: Pick<RowModel<Row, Key>, 'valueOf' | 'nameOf'>,
  { key, descending }: Sorting<Key>,
): readonly Row[] {
  const compare = textOrder()
  const compareValues = (left: string | number, right: string | number): number =>
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : compare(String(left), String(right))
  const compareAll = (left: NonNullable<SortValue>, right: NonNullable<SortValue>): number => {
    if (typeof left !== 'object') return typeof right === 'object' ? -1 : compareValues(left, right)
    if (typeof right !== 'object') return 1
    for (const [at, one] of left.entries()) {
      const by = compareValues(one, right[at] ?? '')
      if (by !== 0) return by
    }
    return 0
  }
  return rows
    .map((row) => ({ row, value: valueOf(row, key) }))
    .sort((one, other) => {
      const [left, right] = [one.value, other.value]
      if ((left === null) !== (right === null)) return left === null ? 1 : -1
      const by = left === null || right === null ? 0 : compareAll(left, right)
      return (
        (descending ? -by : by) ||
        compare(nameOf(one.row), nameOf(other.row)) ||
        (one.row.id < other.row.id ? -1 : Number(one.row.id > other.row.id))
      )
    })
    .map(({ row }) => row)
}

/**
 * Answers the rows in whose text every word of a filter occurs, wherever it does; `noteOf` is what the person wrote about
 * one. A filter that extends the last one is searched for in what that one found.
 */
export function rowFilter<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { textOf }: Pick<RowModel<Row, string>, 'textOf'>,
  noteOf: (id: string) => string = () => '',
): (filter: string) => readonly Row[] {
  let all: readonly { readonly row: Row; readonly text: string }[] | undefined
  let last: { readonly filter: string; readonly found: typeof all } | undefined
  return (filter) => {
    const wanted = searchText(filter)
    const words = wanted.split(/\s+/).filter(Boolean)
    if (words.length === 0) return rows
    all ??= rows.map((row) => {
      const note = noteOf(row.id)
      return { row, text: note === '' ? textOf(row) : `${textOf(row)}\n${searchText(note)}` }
    })
    const among = last?.found && wanted.startsWith(last.filter) ? last.found : all
    const found = among.filter(({ text }) => words.every((word) => text.includes(word)))
    last = { filter: wanted, found }
    return found.map(({ row }) => row)
  }
}

/** What matched here and what was found elsewhere; where both know a row, the one here is the fresher. */
export function withFound<Row extends { readonly id: string }>(
  matched: readonly Row[],
  found: readonly Row[],
  known: (id: string) => Row | undefined,
): readonly Row[] {
  if (found.length === 0) return matched
  const shown = new Set(matched.map(({ id }) => id))
  const others = found.filter(({ id }) => !shown.has(id)).map((row) => known(row.id) ?? row)
  return others.length === 0 ? matched : [...matched, ...others]
}
