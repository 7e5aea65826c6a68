import { pageSizes } from '#shared/page-sizes'
import type { PageQuery } from '#shared/service/page'
import { createPageWalk } from '../../core/page-walk'
import type { ListPage } from '../../core/read-range'
import { keysOf, unreadableKey } from '../../core/unreadable'

/** Upper bound on the sweeps of a list that still lacks entries. */
const mostSweeps = 3

export interface SweepResult {
  /** Number of different entries. */
  readonly entries: number
  /** Number of different unreadable entries; absent: none. */
  readonly unreadable?: number
  /** False if the list kept changing, so that entries may be missing. */
  readonly complete: boolean
}

export interface SweepOptions {
  readonly signal?: AbortSignal
  /** Called with the number of different entries so far, and the total that the service reports. */
  onProgress?(done: number, total: number | null): void
}

/**
 * Yields every entry of a filtered list once, by page, in the service's order. Pages shift during a reading, so each
 * request overlaps with the last entry of the page before. If that entry moved, or the service reported more entries
 * than arrived, another sweep follows, whose new entries come last. Fails as `list` does, and with cancelled.
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
      // All missing entries arrived: the sweep before met all others.
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
