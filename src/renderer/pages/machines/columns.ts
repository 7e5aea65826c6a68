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

/** Pixels for the connect button at the end of a row. */
export const connectColumn = 68

/** The columns that fit into `width` pixels, in their usual order. Name and state always stay. */
export function columnsFor(width: number): readonly Column[] {
  let room = width - connectColumn
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
  if (columns.length <= 2) return `minmax(0, 1fr) 100px ${connectColumn}px`
  return [...columns.map(({ min, grow }) => `minmax(${min}px, ${grow}fr)`), `${connectColumn}px`].join(' ')
}
