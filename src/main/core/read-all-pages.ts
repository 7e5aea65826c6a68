import type { Page, PageQuery, UnreadableRecord } from '#shared/service/page'
import { createPageWalk } from './page-walk'
import { unreadableKey } from './unreadable'

export interface Reading<T> {
  /** In the service's order, each id once. */
  readonly items: readonly T[]
  readonly total: number | null
  /** Records that are there and cannot be read, each once. */
  readonly unreadable: readonly UnreadableRecord[]
  /** Every page was read, and as many different records came as the service says there are, where it does. */
  readonly complete: boolean
}

/** Records that a reading holds at once: a list without an end does not fill the memory. */
const mostRecords = 100_000

/**
 * A whole list, page by page. Pages shift while they are read, overlap, are shorter than asked for or come twice, and
 * totals are wrong: each id counts once, and reading ends where nothing new comes. `onPage` sees what has come so far.
 * Fails as `list` does.
 */
export async function readAll<T extends { readonly id: string }>(
  list: (page: PageQuery) => Promise<Page<T>>,
  pageSize: number,
  onPage: (reading: Reading<T>) => void = () => undefined,
): Promise<Reading<T>> {
  const items = new Map<string, T>()
  const unreadable = new Map<string, UnreadableRecord>()
  const walk = createPageWalk()
  const reading = (): Reading<T> => ({
    items: [...items.values()],
    total: walk.total(),
    unreadable: [...unreadable.values()].filter(({ id }) => id === null || !items.has(id)),
    complete: walk.isComplete(),
  })
  for (;;) {
    const page = await list({ limit: pageSize, offset: walk.offset() }).catch((error: unknown) =>
      walk.afterRefusal(error),
    )
    const before = walk.count()
    for (const item of page.items) items.set(item.id, item)
    for (const record of page.unreadable ?? []) unreadable.set(unreadableKey(record), record)
    if (walk.take(page) || walk.count() > mostRecords) return reading()
    // What seems to be all is shown when that is known.
    if (walk.count() > before && walk.count() !== walk.total()) onPage(reading())
  }
}
