/** A column of a list: `grow` shares what is left over, `min` is in pixels, the highest `dropOrder` goes first. */
export interface GridColumn<Key extends string = string> {
  readonly key: Key
  readonly label: string
  readonly min: number
  readonly grow: number
  readonly dropOrder: number
  /** Numbers stand at the end of their cell. */
  readonly numeric?: boolean
  /** The list cannot be sorted by it. */
  readonly unsorted?: boolean
}

/** What a cell says where that is text alone; `look` are classes of the page. */
export interface CellText {
  readonly text: string
  readonly title?: string | undefined
  readonly look?: string
}

/** Pixels for what stands at the beginning of a row, to choose it. */
export const chooseWidth = 32

/** The columns that fit into `width` pixels, in their usual order. The two of the lowest `dropOrder` always stay. */
export function columnsThatFit<Key extends string>(
  all: readonly GridColumn<Key>[],
  width: number,
): readonly GridColumn<Key>[] {
  let room = width
  const kept = new Set<Key>()
  for (const { key, min } of all.toSorted((one, other) => one.dropOrder - other.dropOrder)) {
    if (kept.size >= 2 && min > room) break
    kept.add(key)
    room -= min
  }
  return all.filter(({ key }) => kept.has(key))
}

/** The value of grid-template-columns; `begin` and `end` in pixels, 0 where nothing stands there. */
export function gridTemplate(columns: readonly GridColumn[], begin = 0, end = 0): string {
  const tracks = columns.map(({ min, grow }, index) =>
    // Where only two are left the first gives way, so that what stands at the end is never cut off.
    columns.length > 2 ? `minmax(${min}px, ${grow}fr)` : index === 0 ? 'minmax(0, 1fr)' : `${min}px`,
  )
  return [begin, ...tracks, end]
    .filter((track) => track !== 0)
    .map((track) => (typeof track === 'number' ? `${track}px` : track))
    .join(' ')
}
