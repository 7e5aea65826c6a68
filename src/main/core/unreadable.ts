import type { UnreadableRecords } from '#shared/bridge/listing'
import type { Page, UnreadableRecord } from '#shared/service/page'

const maxCopied = 20

/** Key of a record of a list: its id, or its text if the id is unreadable. */
export const unreadableKey = ({ id, text }: UnreadableRecord): string => id ?? `\0${text}`

/** Returns the keys of all records of a page in order, readable or not. */
export function keysOf({ items, unreadable = [] }: Page<{ readonly id: string }>): string[] {
  const ids = items.map(({ id }) => id)
  if (unreadable.length === 0) return ids
  const unreadableKeys = new Map(unreadable.map((record) => [record.index, unreadableKey(record)]))
  let next = 0
  return Array.from(
    { length: items.length + unreadableKeys.size },
    (_, index) => unreadableKeys.get(index) ?? ids[next++] ?? '',
  )
}

export function unreadableView(records: readonly UnreadableRecord[]): UnreadableRecords | undefined {
  const texts = new Map(records.map((record) => [unreadableKey(record), record.text]))
  if (texts.size === 0) return undefined
  return { count: texts.size, text: [...texts.values()].slice(0, maxCopied).join('\n') }
}
