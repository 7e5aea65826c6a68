import { perLocale, textOrder, searchText } from '#shared/locale'

/** Sort key of a row; in a list the first difference decides; null: missing. */
export type SortValue = string | number | readonly (string | number)[] | null

export interface Sorting<Key extends string = string> {
  readonly key: Key
  readonly descending: boolean
}

/** How the rows of a list are sorted, named and searched. */
export interface RowModel<Row, Key extends string> {
  valueOf(row: Row, key: Key): SortValue
  nameOf(row: Row): string
  /** Returns the searchable text in lower case. */
  textOf(row: Row): string
}

/** Creates a row model whose searchable text joins `texts`. The text is cached per locale: rows are immutable. */
export function rowModel<Row extends object, Key extends string>({
  texts,
  ...model
}: Omit<RowModel<Row, Key>, 'textOf'> & {
  texts(row: Row): readonly (string | null)[]
}): RowModel<Row, Key> {
  const cache = perLocale(() => new WeakMap<Row, string>())
  return {
    ...model,
    textOf(row) {
      const cached = cache().get(row)
      if (cached !== undefined) return cached
      const text = searchText(
        texts(row)
          .filter((part) => part !== null)
          .join('\n'),
      )
      cache().set(row, text)
      return text
    },
  }
}

/** Sorts by another column, ascending, or reverses the same column. */
export const sortedByColumn = <Key extends string>(present: Sorting<Key>, key: Key): Sorting<Key> => ({
  key,
  descending: key === present.key && !present.descending,
})

/** Returns a sorted copy. Missing values come last in both directions; equal rows are sorted by name, then by id. */
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
    for (const [at, value] of left.entries()) {
      const by = compareValues(value, right[at] ?? '')
      if (by !== 0) return by
    }
    return 0
  }
  return rows
    .map((row) => ({ row, value: valueOf(row, key) }))
    .sort((left, right) => {
      if ((left.value === null) !== (right.value === null)) return left.value === null ? 1 : -1
      const by = left.value === null || right.value === null ? 0 : compareAll(left.value, right.value)
      return (
        (descending ? -by : by) ||
        compare(nameOf(left.row), nameOf(right.row)) ||
        (left.row.id < right.row.id ? -1 : Number(left.row.id > right.row.id))
      )
    })
    .map(({ row }) => row)
}

/**
 * Creates a filter that returns the rows whose text contains every word. `noteOf` returns the user's note on a row. A
 * filter that extends the last one searches only the last result.
 */
export function rowFilter<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { textOf }: Pick<RowModel<Row, string>, 'textOf'>,
  noteOf: (id: string) => string = () => '',
): (filter: string) => readonly Row[] {
  let all: readonly { readonly row: Row; readonly text: string }[] | undefined
  let last: { readonly filter: string; readonly matches: typeof all } | undefined
  return (filter) => {
    const wanted = searchText(filter)
    const words = wanted.split(/\s+/).filter(Boolean)
    if (words.length === 0) return rows
    all ??= rows.map((row) => {
      const note = noteOf(row.id)
      return { row, text: note === '' ? textOf(row) : `${textOf(row)}\n${searchText(note)}` }
    })
    const candidates = last?.matches && wanted.startsWith(last.filter) ? last.matches : all
    const matches = candidates.filter(({ text }) => words.every((word) => text.includes(word)))
    last = { filter: wanted, matches }
    return matches.map(({ row }) => row)
  }
}

/** Adds the rows that the service found to the local matches; a local version of a row wins, as it is newer. */
export function withFound<Row extends { readonly id: string }>(
  matched: readonly Row[],
  found: readonly Row[],
  known: (id: string) => Row | undefined,
): readonly Row[] {
  if (found.length === 0) return matched
  const ids = new Set(matched.map(({ id }) => id))
  const added = found.filter(({ id }) => !ids.has(id)).map((row) => known(row.id) ?? row)
  return added.length === 0 ? matched : [...matched, ...added]
}
