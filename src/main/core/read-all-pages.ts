import type { Page, PageQuery } from '#shared/service/page'

export interface Reading<T> {
  /** In the service's order, each id once. */
  readonly items: readonly T[]
  readonly total: number | null
}

/**
 * A whole list, page by page. Pages shift while they are read, so an id that comes twice counts once, and reading
 * ends where the service has no more to give, not where arithmetic says so. `onPage` sees what has come so far.
 * Fails as `list` does.
 */
export async function readAll<T extends { readonly id: string }>(
  list: (page: PageQuery) => Promise<Page<T>>,
  pageSize: number,
  onPage: (reading: Reading<T>) => void = () => undefined,
): Promise<Reading<T>> {
  const items = new Map<string, T>()
  for (let offset = 0; ;) {
    const page = await list({ limit: pageSize, offset })
    const before = items.size
    for (const item of page.items) items.set(item.id, item)
    offset += page.items.length
    const reading: Reading<T> = { items: [...items.values()], total: page.total ?? null }
    const complete = page.items.length === 0 || (page.total !== undefined && offset >= page.total)
    // A service that ignores `offset` answers the same page for ever.
    if (complete || items.size === before) return reading
    onPage(reading)
  }
}
