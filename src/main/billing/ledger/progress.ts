import { z } from 'zod'

/** A sweep under way: a reading of a whole list, page by page, that may last over restarts. */
export const Sweep = z.object({
  /** Epoch seconds. What it read is at least as new. */
  startedAt: z.number(),
  /** Rows that lie behind it. */
  offset: z.number().int(),
  /** The first and the last row of the page read last, and when the last one began. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  lastTime: z.number().nullable(),
  /** Rows on the page read last. */
  rows: z.number().int(),
  /** How many rows there were, as the service said last; null where it does not say. */
  total: z.number().int().nullable(),
  /** The service said fewer than it gave: what it counts is something else. */
  miscounts: z.boolean().default(false),
  /** Pages in a row that were the very same. */
  repeats: z.number().int(),
  /** A row came before an older one. */
  unsorted: z.boolean(),
  /** Rows vanished from before the offset, so that some may have been skipped. */
  broken: z.boolean(),
  /** The end was reached. */
  ended: z.boolean(),
  /** Read without a pause, rather than a page now and then. */
  hurried: z.boolean(),
  /** Sweeps that were given up before this one because rows vanished. */
  restarts: z.number().int(),
})
export type Sweep = z.infer<typeof Sweep>

/** A record that cannot be read: what came, all that may be secret masked, and the last and the first sweep that met it. */
const UnreadableRow = z.object({
  id: z.string().nullable(),
  text: z.string(),
  sweep: z.number().int(),
  since: z.number().int().default(0),
})

/** How far the reading of one list has come; kept in the store with the rows themselves. */
export const ListProgress = z.object({
  /** Number of the sweep under way, else of the last one. */
  sweepNumber: z.number().int().default(0),
  sweep: Sweep.nullable().default(null),
  /** A sweep has come to its end. */
  complete: z.boolean().default(false),
  /** The service gives the newest first, as it is asked to; so it is taken to until a sweep shows otherwise. */
  sorted: z.boolean().default(true),
  /** Everything that began at this time or later is read each time: it is the newest, or not settled yet. */
  boundary: z.number().nullable().default(null),
  /**
   * How many rows the service said there are, and by how many that differs from what a whole sweep found; null where it
   * counts something else.
   */
  total: z.number().int().nullable().default(null),
  excess: z.number().int().nullable().default(0),
  /** Epoch seconds: what is kept is at least as new; and the last page of the slow re-reading. */
  asOf: z.number().nullable().default(null),
  rolledAt: z.number().default(0),
  /** Records that cannot be read, by key. */
  unreadable: z.record(z.string(), UnreadableRow).default({}),
})
export type ListProgress = z.infer<typeof ListProgress>

/** Sweeps begun anew in a row before what vanishes is put up with. */
const maxRestarts = 3
/** Rows that may come again at the end of a list whose pages overlap. */
const mostTail = 10
/** Rows of one sweep: a list without an end is left. */
const mostRows = 5_000_000
/** The same page again and again: the service ignores where it should begin. */
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

/** A row as far as its place in the list is concerned. */
export interface Placed {
  readonly id: string
  /** Null where it cannot be read. */
  readonly time: number | null
}

/** Rows of the page before that the next one is asked to begin with, to see whether anything vanished in between. */
export const overlapOf = ({ offset, rows }: Sweep): number => (offset > 0 && rows > 1 ? 1 : 0)

/** Whether a row lies before one that is newer. */
const isUnsorted = (times: readonly number[], before: number | null): boolean =>
  times.some((time, index) => {
    const previous = index === 0 ? before : times[index - 1]
    return previous !== null && previous !== undefined && time > previous
  })

/** How many rows there are, as a page says. */
export interface SaidTotal {
  /** Undefined where it does not say, or says fewer than it shows. */
  readonly total: number | undefined
  /** It says fewer than it shows: it may count its own rows, or none beyond a number. */
  readonly miscounts: boolean
}

/**
 * What a page that `sweep` asked for says of all rows: `total`, unless there are more. An empty page behind others with a
 * total is of a list that has become shorter; one that came before shows nothing more. Pure.
 */
export function saidTotal(sweep: Sweep, rows: readonly Placed[], total: number | undefined): SaidTotal {
  const overlap = overlapOf(sweep)
  const isOld = rows.length > overlap && rows.at(-1)?.id === sweep.last
  const isShorter = rows.length === 0 && sweep.total !== null
  const isPossible =
    total === undefined || isOld || isShorter || total >= sweep.offset - overlap + rows.length
  return { total: isPossible ? total : undefined, miscounts: !isPossible }
}

/** What is kept of the total of a page; null also where the service is known to count something else. */
export const keptTotal = ({ excess }: ListProgress, { total }: SaidTotal): number | null =>
  excess === null ? null : (total ?? null)

/** What the totals of a sweep that has come to its end show. Pure. */
export const withCount = (progress: ListProgress, { miscounts }: Sweep): ListProgress =>
  miscounts ? { ...progress, total: null, excess: null } : { ...progress, excess: progress.excess ?? 0 }

export type Step =
  /** The page belongs to the sweep, which stands here now. */
  | { readonly kind: 'on'; readonly sweep: Sweep }
  /** Rows vanished: begin anew. */
  | { readonly kind: 'restart' }
  /** Every offset gives the same page. */
  | { readonly kind: 'stuck' }

/**
 * What a page means for the sweep that asked for it, beginning with `overlapOf` rows of the page before. Rows that are
 * added push others back: they come twice, which harms nothing. Rows that vanish pull others forward, over the offset:
 * then the page does not begin with what was read last, nor with anything read before. A sweep ends where nothing new
 * comes, whatever the total says. `seen`: whether this sweep has met a row. Pure.
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
    // At the end, or a service that gives only one: then the next page is asked for without the one before.
    if (rows.length <= overlap)
      return { kind: 'on', sweep: { ...known, ...(total === sweep.offset ? { ended: true } : { rows: 1 }) } }
    // Asked for once more, in case a page came twice; then past it, in case rows were added before it.
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

/** What a sweep that has come to its end has found. */
export interface SweepResult {
  /** Rows in the store, and those that the sweep met, readable or not. */
  readonly count: number
  readonly met: number
}

/**
 * Whether the sweep met every row that there is; and, if so, up to which number of sweep rows that were not met any
 * more are to be removed: those that this one did not meet, or, where the service does not say how many there are or
 * says surprisingly few, those that the one before did not meet either. Where neither the order nor the number of all
 * shows what was added before the place where it read, a second attempt in a row must follow. Pure.
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
