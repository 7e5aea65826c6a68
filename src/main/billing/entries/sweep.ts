import { pageSizes } from '#shared/page-sizes'
import type { PageQuery } from '#shared/service/page'
import { createPageWalk } from '../../core/page-walk'
import type { ListPage } from '../../core/read-range'
import { keysOf, unreadableKey } from '../../core/unreadable'

/** How often a list is gone through at most until nothing is missing. */
const mostSweeps = 3

export interface SweepResult {
  /** Different entries. */
  readonly entries: number
  /** Different entries that cannot be read; absent where there are none. */
  readonly unreadable?: number
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
): AsyncGenerator<readonly Item[], SweepResult> {
  const known = new Set<string>()
  const unreadable = new Set<string>()
  let doubtful = true
  for (let round = 1; ; round += 1) {
    const walk = createPageWalk(1)
    let shifted = false
    let last: string | undefined
    for (let ended = false; !ended;) {
      const asked = { ...query, limit: pageSizes.sweep, offset: walk.offset() }
      const page = await list(asked, signal).catch((error: unknown) => walk.afterRefusal(error))
      const keys = keysOf(page)
      if (last !== undefined && !walk.isAlone() && !keys.includes(last)) shifted = true
      const fresh = page.items.filter(({ id }) => !known.has(id))
      for (const { id } of page.items) known.add(id)
      for (const record of page.unreadable ?? []) unreadable.add(unreadableKey(record))
      if (fresh.length > 0) yield fresh
      ended = walk.take(page)
      last = keys.at(-1) ?? last
      const [count, total] = [known.size + unreadable.size, walk.total()]
      onProgress?.(count, total)
      // Only new entries were missing, and they have come: the others were all met in the round before.
      if (!doubtful && total !== null && count >= total) ended = true
    }
    const total = walk.total()
    const met = doubtful ? walk.count() : known.size + unreadable.size
    const complete = !shifted && (total === null || met >= total)
    const swept = { entries: known.size, ...(unreadable.size > 0 && { unreadable: unreadable.size }) }
    if (complete || round === mostSweeps) return { ...swept, complete }
    doubtful = shifted
  }
}
