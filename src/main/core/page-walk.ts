import { failureOf } from '#shared/failure'
import { type Page, pageLength } from '#shared/service/page'
import { keysOf } from './unreadable'

/** Consecutive pages without a new record that end a list. */
const maxIdlePages = 6
/** Attempts at one offset. A page may repeat several times before the next one comes. */
const maxRepeats = 3
/** Upper bound on the pages of one list, in case a service never ends it. */
const maxPages = 10_000

/** Statuses that reject an offset, and statuses that may reject any parameter. */
const offsetRefusals: readonly number[] = [404, 416]
const inputRefusals: readonly number[] = [200, 400, 422]

/**
 * Whether a page was rejected because its offset is past the end of the list. Services return nothing there, or an
 * error. `count`: distinct records so far. `total`: the number that the service reports. Pure.
 */
export function isPastEnd(
  error: unknown,
  {
    offset,
    count,
    total,
  }: { readonly offset: number; readonly count: number; readonly total: number | null },
): boolean {
  const failure = failureOf(error, 'page')
  if (offset === 0 || (failure.kind !== 'refused-by-service' && failure.kind !== 'unexpected-answer'))
    return false
  if ('field' in failure && failure.field !== undefined && failure.field !== 'offset') return false
  const { status = 0 } = failure
  return (
    offsetRefusals.includes(status) || (inputRefusals.includes(status) && total !== null && count >= total)
  )
}

/**
 * Walks a list page by page. The service may return fewer records than requested, overlapping pages or repeated
 * pages. The walk ends at an empty page or when nothing new comes, never because of `total`. Each page is requested
 * with the last `overlap` records of the one before.
 */
export function createPageWalk(overlap = 0) {
  const keys = new Set<string>()
  let offset = 0
  let idle = 0
  let pages = 0
  let total: number | undefined
  let ended = false
  let nextOverlap = overlap

  return {
    offset: (): number => Math.max(0, offset - nextOverlap),
    /** Whether the next page is requested without overlap. */
    isAlone: (): boolean => nextOverlap === 0,
    count: (): number => keys.size,
    total: (): number | null => total ?? null,
    /** Returns an empty page if the rejected page is past the end; else throws. `before`: offset of the first page. */
    afterRefusal(error: unknown, before = 0): Page<never> {
      if (!isPastEnd(error, { offset, count: before + keys.size, total: total ?? null })) throw error
      return { items: [], total }
    },
    /** Adds the page at `offset`. Returns whether the walk has ended. */
    take(page: Page<{ readonly id: string }>): boolean {
      const length = pageLength(page)
      const before = keys.size
      const repeated = offset === 0 ? 0 : nextOverlap
      nextOverlap = overlap
      keysOf(page).forEach((key) => keys.add(key))
      pages += 1
      total = page.total ?? total
      if (keys.size > before) {
        idle = 0
        offset += length - repeated
      } else if (length > 0 && length <= repeated && keys.size !== total) {
        // The page holds only the overlap: this is the end, or the service limits the page size.
        nextOverlap = 0
      } else {
        idle += 1
        if (idle > maxRepeats) offset += Math.max(1, length - repeated)
      }
      ended = length === 0 || idle >= maxIdlePages || (idle > 0 && keys.size === total)
      return ended || pages >= maxPages
    },
    excess: (): number | null => (ended && total !== undefined ? total - keys.size : null),
    /** Whether every page was read and the records match the total, if one is reported. */
    isComplete: (): boolean => ended && (total === undefined || keys.size === total),
  }
}
