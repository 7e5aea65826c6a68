import { failureOf } from '#shared/failure'
import { type Page, pageLength } from '#shared/service/page'
import { keysOf } from './unreadable'

/** Pages without anything new, one after the other, after which a list counts as read. */
const idleAtMost = 6
/** Of these, those that are asked for at one place: a page may come several times, and what follows it be behind it. */
const repeatedAtMost = 3
/** Pages of one list: a service that never comes to an end is left. */
const mostPages = 10_000

/** Statuses by which a service refuses a place in a list, and those that may mean any other parameter. */
const noSuchPlace: readonly number[] = [404, 416]
const refusedInput: readonly number[] = [200, 400, 422]

/**
 * Whether a page was refused because the list ends before it: past its end a service may give nothing, or an error.
 * `count` and `total`: different records so far, and those that the service says there are. Pure.
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
  return noSuchPlace.includes(status) || (refusedInput.includes(status) && total !== null && count >= total)
}

/**
 * The way through a list, page by page, at a service that may give fewer records than it is asked for, and pages that
 * overlap or come twice. It ends at an empty page or where nothing new comes, never because `total` says so. Each page
 * is to be asked for with the last `overlap` records of the one before.
 */
export function createPageWalk(overlap = 0) {
  const met = new Set<string>()
  let offset = 0
  let idle = 0
  let pages = 0
  let total: number | undefined
  let ended = false
  let lap = overlap

  return {
    /** Where the next page begins. */
    offset: (): number => Math.max(0, offset - lap),
    /** The next page is asked for without the end of the one before. */
    isAlone: (): boolean => lap === 0,
    /** Different records so far, readable or not. */
    count: (): number => met.size,
    total: (): number | null => total ?? null,
    /**
     * An empty page where the one that was refused lies past the end. Fails with `error` where it does not. `before` is
     * where the walk began.
     */
    afterRefusal(error: unknown, before = 0): Page<never> {
      if (!isPastEnd(error, { offset, count: before + met.size, total: total ?? null })) throw error
      return { items: [], total }
    },
    /** Takes in the page at `offset`. Returns whether the walk has come to its end. */
    take(page: Page<{ readonly id: string }>): boolean {
      const length = pageLength(page)
      const before = met.size
      const asked = offset === 0 ? 0 : lap
      lap = overlap
      keysOf(page).forEach((key) => met.add(key))
      pages += 1
      total = page.total ?? total
      if (met.size > before) {
        idle = 0
        offset += length - asked
      } else if (length > 0 && length <= asked && met.size !== total) {
        // Nothing but the end of the page before: the end, or a service that gives only so many.
        lap = 0
      } else {
        idle += 1
        if (idle > repeatedAtMost) offset += Math.max(1, length - asked)
      }
      ended = length === 0 || idle >= idleAtMost || (idle > 0 && met.size === total)
      return ended || pages >= mostPages
    },
    /** By how many records the total differs from those that came; null while pages are left, or without a total. */
    excess: (): number | null => (ended && total !== undefined ? total - met.size : null),
    /** Every page was read, and as many different records came as the service says there are, where it does. */
    isComplete: (): boolean => ended && (total === undefined || met.size === total),
  }
}
