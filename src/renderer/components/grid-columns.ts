/** A column of a list. `min` is in pixels, `grow` its share of the free width; the highest `dropOrder` hides first. */
export interface GridColumn<Key extends string = string> {
  readonly key: Key
  readonly label: string
  readonly min: number
  readonly grow: number
  readonly dropOrder: number
  readonly numeric?: boolean
  readonly unsorted?: boolean
}

/** Returns a function that creates the columns of a list. */
export const columnMaker =
  <Key extends string>(labelOf: (key: Key) => string) =>
  <Name extends Key>(
    key: Name,
    min: number,
    grow: number,
    dropOrder: number,
    numeric = false,
  ): GridColumn<Name> => ({ key, label: labelOf(key), min, grow, dropOrder, numeric })

/** Content of a cell without components; `look` holds CSS classes of the page. */
export interface CellText {
  readonly text: string
  readonly title?: string | undefined
  readonly look?: string
  /** A name, which is cut in its middle. */
  readonly isName?: boolean
}

/** Width of the checkbox column, in pixels. */
export const chooseWidth = 32

/** Returns the columns that fit into `width` pixels, in their usual order. The two with the lowest `dropOrder` stay. */
export function columnsThatFit<Key extends string>(
  all: readonly GridColumn<Key>[],
  width: number,
): readonly GridColumn<Key>[] {
  let room = width
  const fitting = new Set<Key>()
  for (const { key, min } of all.toSorted((left, right) => left.dropOrder - right.dropOrder)) {
    if (fitting.size >= 2 && min > room) break
    fitting.add(key)
    room -= min
  }
  return all.filter(({ key }) => fitting.has(key))
}

/** Widens the first column up to `wanted` pixels with the space that the least widths of the columns leave. */
export function withWideName<Key extends string>(
  columns: readonly GridColumn<Key>[],
  width: number,
  wanted: number,
): readonly GridColumn<Key>[] {
  const [first, ...rest] = columns
  if (!first) return columns
  const free = columns.reduce((left, { min }) => left - min, width)
  return [{ ...first, min: first.min + Math.max(0, Math.min(free, wanted - first.min)) }, ...rest]
}

/** Returns the widths in pixels of columns that share `width`: no column is narrower than its least width. */
export function columnWidths(columns: readonly GridColumn[], width: number): readonly number[] {
  const fixed = new Set<GridColumn>()
  for (;;) {
    const flexible = columns.filter((column) => !fixed.has(column))
    const shares = flexible.reduce((sum, { grow }) => sum + grow, 0)
    const free = [...fixed].reduce((left, { min }) => left - min, width)
    const share = shares > 0 ? free / shares : 0
    const tooNarrow = flexible.filter(({ min, grow }) => grow * share < min)
    if (tooNarrow.length === 0)
      return columns.map((column) => (fixed.has(column) ? column.min : column.grow * share))
    tooNarrow.forEach((column) => fixed.add(column))
  }
}

/**
 * Returns how many columns fit next to a panel without moving: two at least. `widths`: pixels without the panel; `room`:
 * pixels next to it.
 */
export function countNextToPanel(widths: readonly number[], room: number): number {
  let right = 0
  const fitting = widths.findIndex((width) => {
    right += width
    return right > room
  })
  return fitting < 0 ? widths.length : Math.max(2, fitting)
}

/** Returns the value of grid-template-columns; `begin` and `end` are extra columns in pixels, or 0. */
export function gridTemplate(columns: readonly GridColumn[], begin = 0, end = 0): string {
  const tracks = columns.map(({ min, grow }, index) =>
    // The first of two columns shrinks below its minimum, so that the end of the row is never cut off.
    columns.length > 2 ? `minmax(${min}px, ${grow}fr)` : index === 0 ? 'minmax(0, 1fr)' : `${min}px`,
  )
  return [begin, ...tracks, end]
    .filter((track) => track !== 0)
    .map((track) => (typeof track === 'number' ? `${track}px` : track))
    .join(' ')
}

/** As gridTemplate, for columns that keep their places next to a panel. The last one fills the rest. */
export function gridTemplateNextToPanel(widths: readonly number[], begin = 0, end = 0): string {
  const last = widths.at(-1) ?? 0
  const tracks = [...widths.slice(0, -1).map((width) => `${width}px`), `minmax(${last}px, 1fr)`]
  return [begin && `${begin}px`, ...tracks, end && `${end}px`].filter((track) => track !== 0).join(' ')
}
