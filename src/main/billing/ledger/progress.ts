import { z } from 'zod'

/** Sweep in progress: a reading of a whole list, page by page, that continues after a restart. */
export const Sweep = z.object({
  /** Epoch seconds. The rows of the sweep are at least as new. */
  startedAt: z.number(),
  /** Number of rows before the next page. */
  offset: z.number().int(),
  /** First and last row of the previous page, and the time of its last row. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  lastTime: z.number().nullable(),
  /** Number of rows on the previous page. */
  rows: z.number().int(),
  /** Number of rows that the service last reported; null: not reported. */
  total: z.number().int().nullable(),
  /** The service reported fewer rows than it listed, so it counts something else. */
  miscounts: z.boolean().default(false),
  /** Number of identical pages in a row. */
  repeats: z.number().int(),
  /** A row came before a newer one. */
  unsorted: z.boolean(),
  /** Rows before the offset vanished, so that the sweep may have skipped others. */
  broken: z.boolean(),
  /** The sweep reached the end. */
  ended: z.boolean(),
  /** Reads without a pause, instead of a page now and then. */
  hurried: z.boolean(),
  /** Number of sweeps before this one that restarted because rows vanished. */
  restarts: z.number().int(),
})
export type Sweep = z.infer<typeof Sweep>

/** Unreadable record: its text with possible secrets masked, and the last and the first sweep that met it. */
const UnreadableRow = z.object({
  id: z.string().nullable(),
  text: z.string(),
  sweep: z.number().int(),
  since: z.number().int().default(0),
})

/** Progress of reading one list. The store holds it together with the rows. */
export const ListProgress = z.object({
  /** Number of the current or last sweep. */
  sweepNumber: z.number().int().default(0),
  sweep: Sweep.nullable().default(null),
  /** A sweep reached its end. */
  complete: z.boolean().default(false),
  /** The service lists the newest first, as requested. Assumed until a sweep disproves it. */
  sorted: z.boolean().default(true),
  /** Each reading includes everything that began at this time or later: it is new, or not settled yet. */
  boundary: z.number().nullable().default(null),
  /**
   * Number of rows that the service reported, and its difference from the rows of a whole sweep; null if the service
   * counts something else.
   */
  total: z.number().int().nullable().default(null),
  excess: z.number().int().nullable().default(0),
  /** Epoch seconds: age of the rows at most, and the last page of the slow second reading. */
  asOf: z.number().nullable().default(null),
  rolledAt: z.number().default(0),
  /** Unreadable records by key. */
  unreadable: z.record(z.string(), UnreadableRow).default({}),
})
export type ListProgress = z.infer<typeof ListProgress>

/** Restarts in a row before vanished rows are accepted. */
const maxRestarts = 3
/** Rows that may repeat at the end of a list with overlapping pages. */
const mostTail = 10
/** Upper bound on the rows of a sweep, for a list without end. */
const mostRows = 5_000_000
/** Identical pages in a row that show that the service ignores the offset. */
const sameAtMost = 3

export const beginSweep = (now: number, hurried: boolean, restarts = 0): Sweep => ({
  startedAt: now,
  offset: 0,
  first: null,
  last: null,
  lastTime: null,
  rows: 0,
  total: null,
  miscounts: false,
  repeats: 0,
  unsorted: false,
  broken: false,
  ended: false,
  hurried,
  restarts,
})

/** Id and place of a row in its list. */
export interface Placed {
  readonly id: string
  /** Epoch seconds; null: unreadable. */
  readonly time: number | null
}

/** Returns the number of rows by which the next request overlaps with the previous page, to detect vanished rows. */
export const overlapOf = ({ offset, rows }: Sweep): number => (offset > 0 && rows > 1 ? 1 : 0)

/** Whether a row precedes a newer one. */
const isUnsorted = (times: readonly number[], before: number | null): boolean =>
  times.some((time, index) => {
    const previous = index === 0 ? before : times[index - 1]
    return previous !== null && previous !== undefined && time > previous
  })

/** Number of all rows according to a page. */
export interface SaidTotal {
  /** Undefined if the page reports none, or fewer rows than it contains. */
  readonly total: number | undefined
  /** The page reports fewer rows than it contains: the service may count the page's rows, or cap the number. */
  readonly miscounts: boolean
}

/**
 * Returns the number of all rows according to a page of `sweep`: `total`, or more if the sweep met more. An empty
 * page with a total, after other pages, means that the list became shorter. Pure.
 */
export function saidTotal(sweep: Sweep, rows: readonly Placed[], total: number | undefined): SaidTotal {
  const overlap = overlapOf(sweep)
  const isOld = rows.length > overlap && rows.at(-1)?.id === sweep.last
  const isShorter = rows.length === 0 && sweep.total !== null
  const isPossible =
    total === undefined || isOld || isShorter || total >= sweep.offset - overlap + rows.length
  return { total: isPossible ? total : undefined, miscounts: !isPossible }
}

/** Returns the total to store; null if the page has none, or if the service counts something else. */
export const keptTotal = ({ excess }: ListProgress, { total }: SaidTotal): number | null =>
  excess === null ? null : (total ?? null)

/** Records the total of a sweep that reached its end. Pure. */
export const withCount = (progress: ListProgress, { miscounts }: Sweep): ListProgress =>
  miscounts ? { ...progress, total: null, excess: null } : { ...progress, excess: progress.excess ?? 0 }

export type Step =
  /** The page continues the sweep, whose new state this is. */
  | { readonly kind: 'on'; readonly sweep: Sweep }
  /** Rows vanished: the sweep restarts. */
  | { readonly kind: 'restart' }
  /** Each offset returns the same page. */
  | { readonly kind: 'stuck' }

/**
 * Decides how a page continues its sweep. The page should begin with `overlapOf` rows of the previous page. Added
 * rows push others back, so that they come twice, which is harmless. Vanished rows pull others forward, past the
 * offset; the page then begins with an unknown row. A sweep ends when a page contains nothing new, whatever the total
 * is. `seen`: whether this sweep has met a row. Pure.
 */
export function stepOf(
  sweep: Sweep,
  { placed: rows, total, miscounts }: SaidTotal & { readonly placed: readonly Placed[] },
  seen: (id: string) => boolean,
): Step {
  const overlap = overlapOf(sweep)
  const [first, last] = [rows[0], rows.at(-1)]
  const nothingMore = first === undefined || last === undefined
  const shrunk = total !== undefined && sweep.total !== null && total < sweep.total
  const unknownFirst =
    overlap > 0 && (nothingMore ? total === undefined : first.id !== sweep.last && !seen(first.id))
  const vanished = shrunk || (unknownFirst && !nothingMore)
  if (vanished && sweep.restarts < maxRestarts) return { kind: 'restart' }
  const broken = sweep.broken || vanished
  const known = { ...sweep, total: total ?? null, miscounts: sweep.miscounts || miscounts, broken }
  if (nothingMore) return { kind: 'on', sweep: { ...known, ended: true } }

  if (last.id === sweep.last && rows.every(({ id }) => seen(id))) {
    // This is the end of the list, or the service returns one row per page. Then the next request does not overlap.
    if (rows.length <= overlap)
      return { kind: 'on', sweep: { ...known, ...(total === sweep.offset ? { ended: true } : { rows: 1 }) } }
    // Requests the page again, in case it came twice; then skips it, in case rows were added before it.
    const repeats = sweep.repeats + 1
    const step = rows.length - overlap
    const ended = repeats >= sameAtMost
    const reached = sweep.offset - (repeats > 2 ? step : 0)
    const same = first.id === sweep.first && rows.length > mostTail
    if (ended && same && total !== undefined && total > reached) return { kind: 'stuck' }
    const offset = sweep.offset + (repeats === 2 ? step : 0)
    return { kind: 'on', sweep: { ...known, repeats, offset, ended } }
  }
  const times = rows.flatMap(({ time }) => time ?? [])
  const offset = sweep.offset - overlap + rows.length
  const endless = offset > mostRows
  return {
    kind: 'on',
    sweep: {
      ...known,
      broken: broken || endless,
      ended: endless,
      offset,
      first: first.id,
      last: last.id,
      lastTime: times.at(-1) ?? sweep.lastTime,
      rows: rows.length,
      repeats: 0,
      unsorted: sweep.unsorted || isUnsorted(times, seen(first.id) ? null : sweep.lastTime),
    },
  }
}

/** Result of a sweep that reached its end. */
export interface SweepResult {
  /** Rows in the store, and rows that the sweep met, readable or not. */
  readonly count: number
  readonly met: number
}

/**
 * Decides whether a sweep met all rows (`verified`), and which rows to remove: those last met before the sweep
 * `removeBefore`. These are the rows that this sweep did not meet. If the service reports no total, or a surprisingly
 * small one, they are the rows that the previous sweep did not meet either. If neither order nor total reveals rows
 * that were added before the offset, a second sweep must follow. Pure.
 */
export function verdict(
  { sweep, sweepNumber, attempt }: { sweep: Sweep; sweepNumber: number; attempt: number },
  { count, met }: SweepResult,
): { readonly verified: boolean; readonly removeBefore: number } {
  const { total, broken, unsorted } = sweep
  const blind = total === null && unsorted && attempt === 1
  const verified = !broken && !blind && (total === null || met === total)
  const doubtful = total === null || total < count / 2
  return { verified, removeBefore: verified ? sweepNumber - (doubtful ? 1 : 0) : 0 }
}
