import { pageSizes } from '#shared/page-sizes'
import type { PageQuery } from '#shared/service/page'
import type { ListPage } from './read-range'

/** How often a list is gone through at most until nothing is missing. */
const mostSweeps = 3

export interface Swept {
  /** Different entries. */
  readonly entries: number
  /** False: the list went on changing, so something may be missing. */
  readonly complete: boolean
}

export interface SweepOptions {
  readonly signal?: AbortSignal
  /** Different entries so far, and how many the service says there are. */
  onProgress?(done: number, total: number | null): void
}

/**
 * Every entry of a filtered list once, page by page, in the service's order. Pages shift while they are read: each page
 * is asked for together with the last entry of the one before. Where that has moved away, or fewer came than the
 * service says there are, the list is gone through again for what was missed, which then comes at the end. Fails as
 * `list` does, and with cancelled.
 */
export async function* sweep<Item extends { readonly id: string }>(
  list: ListPage<Item>,
  query: Pick<PageQuery, 'sortField' | 'sortOrder' | 'filters'>,
  { signal, onProgress }: SweepOptions = {},
): AsyncGenerator<readonly Item[], Swept> {
  const known = new Set<string>()
  let doubtful = true
  for (let round = 1; ; round += 1) {
    const met = new Set<string>()
    let shifted = false
    let total: number | null = null
    let last: string | undefined
    for (let offset = 0; ;) {
      const page = await list({ ...query, limit: pageSizes.sweep, offset }, signal)
      total = page.total ?? null
      if (last !== undefined && !page.items.some(({ id }) => id === last)) shifted = true
      const fresh = page.items.filter(({ id }) => !known.has(id))
      const metBefore = met.size
      for (const { id } of page.items) {
        met.add(id)
        known.add(id)
      }
      if (fresh.length > 0) yield fresh
      onProgress?.(known.size, total)
      // Only new entries were missing, and they have come: the others were all met in the round before.
      if (!doubtful && total !== null && known.size >= total) return { entries: known.size, complete: true }
      const isOver = page.items.length <= (last === undefined ? 0 : 1)
      const isLast = total !== null && offset + page.items.length >= total
      // A service that ignores `offset` answers the same page for ever.
      if (isOver || isLast || met.size === metBefore) break
      last = page.items.at(-1)?.id
      offset += page.items.length - 1
    }
    const complete = !shifted && (total === null || met.size >= total)
    if (complete || round === mostSweeps) return { entries: known.size, complete }
    doubtful = shifted
  }
}
