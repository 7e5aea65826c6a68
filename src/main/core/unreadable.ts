import type { UnreadableRecords } from '#shared/bridge/listing'
import type { Page, UnreadableRecord } from '#shared/service/page'

/** Records whose text is passed on, to be copied. */
const copied = 20

/** The key of a record of a list: its id, or its text where that cannot be read. */
export const unreadableKey = ({ id, text }: UnreadableRecord): string => id ?? `\0${text}`

/** The keys of all records of a page, readable or not, in its order. */
export function keysOf({ items, unreadable = [] }: Page<{ readonly id: string }>): string[] {
  const ids = items.map(({ id }) => id)
  if (unreadable.length === 0) return ids
  const odd = new Map(unreadable.map((record) => [record.index, unreadableKey(record)]))
  let next = 0
  return Array.from({ length: items.length + odd.size }, (_, index) => odd.get(index) ?? ids[next++] ?? '')
}

/** What the window shows of them; undefined where there are none. */
export function unreadableView(records: readonly UnreadableRecord[]): UnreadableRecords | undefined {
  const texts = new Map(records.map((record) => [unreadableKey(record), record.text]))
  if (texts.size === 0) return undefined
  return { count: texts.size, text: [...texts.values()].slice(0, copied).join('\n') }
}
