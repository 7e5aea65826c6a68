import type { Page, PageQuery } from '#shared/service/page'

export type ListPage<Item> = (page: PageQuery, signal?: AbortSignal) => Promise<Page<Item>>

/**
 * `limit` entries of a list from `offset` on, fewer only at its end: a service may give less at once than it is asked
 * for. Fails as `list` does.
 */
export async function readRange<Item>(
  list: ListPage<Item>,
  query: PageQuery & { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<Page<Item>> {
  const items: Item[] = []
  for (;;) {
    const offset = query.offset + items.length
    const page = await list({ ...query, offset, limit: query.limit - items.length }, signal)
    items.push(...page.items)
    const isOver = page.total !== undefined && query.offset + items.length >= page.total
    // Without a total a short page is taken for the last one: there is no other sign.
    if (page.items.length === 0 || isOver || page.total === undefined || items.length >= query.limit)
      return { items: items.slice(0, query.limit), total: page.total }
  }
}
