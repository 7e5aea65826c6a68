import { createHash } from 'node:crypto'
import { FailureError } from '#shared/failure'
import type { Page, UnreadableRecord } from '#shared/service/page'
import { unreadableKey } from '../../core/unreadable'
import { maskedRecord } from '../../service/masked-record'
import type { ListProgress, Placed } from './progress'
import type { Row } from './rows'
import type { LedgerTable } from './tables'

/**
 * Upper bounds on unreadable records per list, on those whose text is stored, and on characters of each text, so that
 * they cannot fill the store.
 */
const mostKnown = 20_000
const kept = 500
const longestText = 1_000

/** Key as short as an id, even for a record that has only its text. */
const keyOf = (record: UnreadableRecord): string =>
  record.id ?? `\0${createHash('sha256').update(unreadableKey(record)).digest('base64')}`

/** Page whose rows were checked one by one. */
export interface JudgedPage<Item> {
  readonly items: readonly Item[]
  readonly rows: readonly Row[]
  readonly unreadable: readonly UnreadableRecord[]
  /** All rows, readable or not, in the order of the page. */
  readonly placed: readonly Placed[]
}

/**
 * Separates the readable rows of a page from the unreadable ones. A row that the store cannot hold counts as
 * unreadable.
 */
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

/** Records the unreadable rows of a page, and removes those that became readable. Pure. */
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

/** Whether the current sweep met an unreadable record. */
export const isUnreadableMet = ({ unreadable, sweepNumber }: ListProgress, key: string): boolean =>
  Object.hasOwn(unreadable, key) && unreadable[key]?.sweep === sweepNumber

/**
 * Returns the first sweep that met the newest record without an id, among those that the current sweep met; 0: none.
 * Such a record may be any row that no sweep has met since.
 */
export const newestNameless = ({ unreadable, sweepNumber }: ListProgress): number =>
  Math.max(
    0,
    ...Object.values(unreadable).flatMap(({ id, sweep, since }) =>
      id === null && sweep === sweepNumber ? [since] : [],
    ),
  )

/** Counts the unreadable records that the current sweep met, except rows that were readable before. */
export const unreadableMet = (
  { unreadable, sweepNumber }: ListProgress,
  isRow: (id: string) => boolean,
): number =>
  Object.entries(unreadable).filter(([key, { sweep }]) => sweep === sweepNumber && !isRow(key)).length

/** Counts the unreadable records that have no row from a time when they were readable. Fails with local-fault. */
export const unreadableCount = (table: Pick<LedgerTable, 'progress' | 'isMet'>): number =>
  Object.keys(table.progress().unreadable).filter((key) => !table.isMet(key, 1)).length

/** Returns the progress without records that no sweep has met since this one. */
export const withoutUnreadable = (progress: ListProgress, sweepNumber: number): ListProgress => ({
  ...progress,
  unreadable: Object.fromEntries(
    Object.entries(progress.unreadable).filter(([, { sweep }]) => sweep >= sweepNumber),
  ),
})
