import type { SortKey } from './sort-machines'

/** A column of the list: `grow` shares what is left over, `min` is in pixels. */
export interface Column {
  readonly key: SortKey
  readonly min: number
  readonly grow: number
}

const all: readonly Column[] = [
  { key: 'name', min: 140, grow: 3 },
  { key: 'state', min: 116, grow: 1 },
  { key: 'flavor', min: 150, grow: 2 },
  { key: 'gpu', min: 144, grow: 3 },
  { key: 'region', min: 112, grow: 1 },
  { key: 'address', min: 132, grow: 1 },
  { key: 'uptime', min: 100, grow: 1 },
]

/** The most telling first: what goes last when the room shrinks. */
const worth: readonly SortKey[] = ['name', 'state', 'gpu', 'address', 'region', 'uptime', 'flavor']

/** Pixels for what stands at the beginning of a row, to choose it. */
const chooseColumn = 32
/** Pixels for what stands at its end: to connect, and the menu. */
const actColumn = 92

/** The columns that fit into `width` pixels, in their usual order. Name and state always stay. */
export function columnsFor(width: number): readonly Column[] {
  let room = width - chooseColumn - actColumn
  const kept = new Set<SortKey>()
  for (const key of worth) {
    const column = all.find((one) => one.key === key)
    if (!column) continue
    if (kept.size >= 2 && column.min > room) break
    kept.add(key)
    room -= column.min
  }
  return all.filter(({ key }) => kept.has(key))
}

/** The value of grid-template-columns. */
export function gridTemplate(columns: readonly Column[]): string {
  // In the narrowest window beside an open panel the name gives way, so that the connect button is never cut off.
  const tracks =
    columns.length <= 2
      ? ['minmax(0, 1fr)', '100px']
      : columns.map(({ min, grow }) => `minmax(${min}px, ${grow}fr)`)
  return [`${chooseColumn}px`, ...tracks, `${actColumn}px`].join(' ')
}
