import type { Page, PageQuery, UnreadableRecord } from '#shared/service/page'
import { createPageWalk } from './page-walk'
import { unreadableKey } from './unreadable'

export type ListPage<Item> = (page: PageQuery, signal?: AbortSignal) => Promise<Page<Item>>

/**
 * Reads `limit` records from `offset` on, fewer only at the end of the list. A service may return fewer records at
 * once than requested. If the reported total ends inside the range, one more page verifies that. Fails as `list`
 * does.
 */
export async function readRange<Item extends { readonly id: string }>(
  list: ListPage<Item>,
  query: PageQuery & { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<Page<Item>> {
  const items = new Map<string, Item>()
  const unreadable = new Map<string, UnreadableRecord>()
  const walk = createPageWalk()
  for (;;) {
    const remaining = Math.max(1, query.limit - walk.count())
    const offset = query.offset + walk.offset()
    const page = await list({ ...query, offset, limit: remaining }, signal).catch((error: unknown) =>
      walk.afterRefusal(error, query.offset),
    )
    const isFull = walk.count() >= query.limit
    const ended = walk.take(page)
    const reached = query.offset + walk.count()
    // This page verified the end of the range.
    if (isFull) return { ...rangeOf(items, unreadable), total: reached }
    for (const item of page.items) items.set(item.id, item)
    for (const record of page.unreadable ?? []) unreadable.set(unreadableKey(record), record)
    const { total } = page
    if (ended) {
      const known = total === undefined || walk.count() === 0 ? total : reached
      return { ...rangeOf(items, unreadable), total: known }
    }
    if (walk.count() >= query.limit && (total === undefined || total > reached))
      return { ...rangeOf(items, unreadable), total }
  }
}

function rangeOf<Item>(items: ReadonlyMap<string, Item>, unreadable: ReadonlyMap<string, UnreadableRecord>) {
  return {
    items: [...items.values()],
    ...(unreadable.size === 0 ? {} : { unreadable: [...unreadable.values()] }),
  }
}
