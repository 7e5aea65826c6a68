/** A column of a list: `grow` shares what is left over, `min` is in pixels, the lowest `worth` goes last. */
export interface GridColumn<Key extends string = string> {
  readonly key: Key
  readonly label: string
  readonly min: number
  readonly grow: number
  readonly worth: number
  /** Numbers stand at the end of their cell. */
  readonly numeric?: boolean
}

/** The columns that fit into `width` pixels, in their usual order. The two most worth always stay. */
export function columnsThatFit<Key extends string>(
  all: readonly GridColumn<Key>[],
  width: number,
): readonly GridColumn<Key>[] {
  let room = width
  const kept = new Set<Key>()
  for (const { key, min } of all.toSorted((one, other) => one.worth - other.worth)) {
    if (kept.size >= 2 && min > room) break
    kept.add(key)
    room -= min
  }
  return all.filter(({ key }) => kept.has(key))
}

/** The value of grid-template-columns. */
export const gridTemplate = (columns: readonly GridColumn[]): string =>
  columns.map(({ min, grow }) => `minmax(${min}px, ${grow}fr)`).join(' ')
