import { createHash } from 'node:crypto'
import { FailureError } from '#shared/failure'
import type { Page, UnreadableRecord } from '#shared/service/page'
import { unreadableKey } from '../../core/unreadable'
import { maskedRecord } from '../../service/masked-record'
import type { ListProgress, Placed } from './progress'
import type { Row } from './rows'
import type { LedgerTable } from './tables'

/** Records known of a list, of how many the text is kept too, and characters of each: a list of nothing else does not fill the store. */
const mostKnown = 20_000
const kept = 500
const longestText = 1_000

/** As short as an id, also where the text is all that there is. */
const keyOf = (record: UnreadableRecord): string =>
  record.id ?? `\0${createHash('sha256').update(unreadableKey(record)).digest('base64')}`

/** A page as it was judged, row by row. */
export interface JudgedPage<Item> {
  readonly items: readonly Item[]
  readonly rows: readonly Row[]
  readonly unreadable: readonly UnreadableRecord[]
  /** All of them, readable or not, in the order of the page. */
  readonly placed: readonly Placed[]
}

/** The rows of a page, and what it holds besides, each in its place. A row that the store cannot hold is unreadable. */
export function judged<Item>(
  page: Page<Item>,
  place: (item: Item) => Placed,
  row: (item: Item) => Row,
): JudgedPage<Item> {
  const odd = new Map((page.unreadable ?? []).map((record) => [record.index, record]))
  const items: Item[] = []
  const rows: Row[] = []
  const unreadable: UnreadableRecord[] = []
  const placed: Placed[] = []
  const skip = (record: UnreadableRecord): void => {
    unreadable.push(record)
    placed.push({ id: keyOf(record), time: null })
  }
  for (let index = 0, next = 0; next < page.items.length || odd.has(index); index += 1) {
    const record = odd.get(index)
    const item = record ? undefined : page.items[next]
    if (record) skip(record)
    else next += 1
    if (item !== undefined) {
      try {
        rows.push(row(item))
        items.push(item)
        placed.push(place(item))
      } catch (error) {
        if (!(error instanceof FailureError)) throw error
        skip({ index, id: place(item).id, text: maskedRecord(item) })
      }
    }
  }
  return { items, rows, unreadable, placed }
}

/** Takes in what a page holds: what can be read now is no longer unreadable. Pure. */
export function withUnreadable(
  progress: ListProgress,
  unreadable: readonly UnreadableRecord[],
  placed: readonly Placed[],
): ListProgress {
  const before = Object.entries(progress.unreadable)
  if (unreadable.length === 0 && before.length === 0) return progress
  const named = new Set(placed.map(({ id }) => id))
  const found = unreadable.map((record) => {
    const { id, text } = record
    const [key, sweep] = [keyOf(record), progress.sweepNumber]
    const since =
      (Object.hasOwn(progress.unreadable, key) ? progress.unreadable[key]?.since : undefined) ?? sweep
    return [key, { id, text: text.slice(0, longestText), sweep, since }] as const
  })
  const rows = new Map([...before.filter(([key]) => !named.has(key)), ...found])
  const known = [...rows].slice(0, mostKnown)
  const short = known.map(([key, row], at) => [key, at < kept ? row : { ...row, text: '' }] as const)
  return { ...progress, unreadable: Object.fromEntries(short) }
}

/** Whether the sweep under way has met a record that cannot be read. */
export const isUnreadableMet = ({ unreadable, sweepNumber }: ListProgress, key: string): boolean =>
  Object.hasOwn(unreadable, key) && unreadable[key]?.sweep === sweepNumber

/**
 * The sweep that was the first to meet the newest of the records without an id that this one has met; 0 where it has
 * met none. Such a record may be any row that was not met since.
 */
export const newestNameless = ({ unreadable, sweepNumber }: ListProgress): number =>
  Math.max(
    0,
    ...Object.values(unreadable).flatMap(({ id, sweep, since }) =>
      id === null && sweep === sweepNumber ? [since] : [],
    ),
  )

/** How many the sweep under way has met, but for rows that could be read before. */
export const unreadableMet = (
  { unreadable, sweepNumber }: ListProgress,
  isRow: (id: string) => boolean,
): number =>
  Object.entries(unreadable).filter(([key, { sweep }]) => sweep === sweepNumber && !isRow(key)).length

/** How many there are of which no row is kept from when they could be read. Fails with local-fault. */
export const unreadableCount = (table: Pick<LedgerTable, 'progress' | 'isMet'>): number =>
  Object.keys(table.progress().unreadable).filter((key) => !table.isMet(key, 1)).length

/** Without those that no sweep since this one has met. */
export const withoutUnreadable = (progress: ListProgress, sweepNumber: number): ListProgress => ({
  ...progress,
  unreadable: Object.fromEntries(
    Object.entries(progress.unreadable).filter(([, { sweep }]) => sweep >= sweepNumber),
  ),
})
