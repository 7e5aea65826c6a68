import { FailureError } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'
import type { Page, PageQuery } from '#shared/service/page'
import { type Clock, yieldToEventLoop } from '../../core/clock'
import { isPastEnd } from '../../core/page-walk'
import {
  beginSweep,
  keptTotal,
  type ListProgress,
  overlapOf,
  type Placed,
  saidTotal,
  type SaidTotal,
  stepOf,
  type Sweep,
  verdict,
  withCount,
} from './progress'
import type { Row } from './rows'
import type { LedgerTable } from './tables'
import {
  newestNameless,
  isUnreadableMet,
  judged,
  type JudgedPage,
  unreadableMet,
  withoutUnreadable,
  withUnreadable,
} from './unreadable-rows'

/** Rows per transaction: a requested page. Smaller transactions write the same index pages again. */
const rowsAtOnce = 1_000

/** Minimum of rows, and maximum of requests, in one step of the slow second reading. */
const rollRows = 1_000
const rollRequests = 10

/** Sweeps in a row that may find changes. */
const sweepsInARow = 3

/** A first page with at least this many unchanged rows shows that nothing is new. */
const conclusiveRows = 200

/** One list of an account, from the service and in the store. */
export interface LedgerList<Item> {
  readonly table: LedgerTable
  list(page: PageQuery): Promise<Page<Item>>
  /** Field that the service sorts by, the newest first. */
  readonly sortField: string
  place(item: Item): Placed
  row(item: Item): Row
  /**
   * Epoch seconds from which on items may be missing, or may have changed at the head since `asOf`; null: nothing is
   * known.
   */
  settledBefore(asOf: number): number | null
  /** Set if regular changes occur only at the head of the list; undefined if they may occur anywhere. */
  readonly head?: {
    /** Whether the item may still change without a correction. */
    isOpen(item: Item): boolean
  }
  readonly now: Clock['now']
  /**
   * Called after each write, before the reading can be interrupted, with the number of new, changed or removed rows.
   */
  onWritten(changed: number, progress: ListProgress): void
  /** Whether to stop. The next reading resumes at the same place. */
  stopped(): boolean
}

interface AskedPage<Item> extends JudgedPage<Item>, SaidTotal {
  /** Epoch seconds. The page is at least as new. */
  readonly askedAt: number
}

interface SweepOutcome {
  readonly next: ListProgress
  /** The sweep met every row that existed at its end. */
  readonly verified: boolean
}

const ignoresOffset = (offset: number): FailureError =>
  new FailureError({
    kind: 'unexpected-answer',
    expected: `rows from ${String(offset)} on`,
    received: 'the same rows as before',
  })

/** Requests pages of one list and stores them. Fails with cancelled if stopped, and as the list and the store do. */
function pageReader<Item>(deps: LedgerList<Item>) {
  const { table, list, sortField, place, row, now, onWritten, stopped } = deps

  /** Returns the next page; an empty one if the service refuses an offset beyond the end. */
  async function ask(reading: Sweep): Promise<AskedPage<Item>> {
    if (stopped()) throw new FailureError({ kind: 'cancelled' })
    const askedAt = now()
    const offset = reading.offset - overlapOf(reading)
    const query = { limit: pageSizes.ledger, offset, sortField, sortOrder: 'desc' } as const
    const page = await list(query).catch((error: unknown): Page<Item> => {
      const { offset: count, total, miscounts } = reading
      if (!isPastEnd(error, { offset, count, total: miscounts ? 0 : total })) throw error
      return { items: [], total: total ?? undefined }
    })
    if (stopped()) throw new FailureError({ kind: 'cancelled' })
    const rows = judged(page, place, row)
    return { ...rows, ...saidTotal(reading, rows.placed, page.total), askedAt }
  }

  /**
   * Stores a page, and with its last rows the place of the reading: repeated rows are harmless. Each transaction is
   * small, because it blocks the main process. Returns the number of new or changed rows.
   */
  async function keep(
    { rows, askedAt, unreadable, placed }: AskedPage<Item>,
    progress: ListProgress,
  ): Promise<{ readonly changed: number; readonly next: ListProgress }> {
    const next = withUnreadable(progress, unreadable, placed)
    const spared = unreadable.flatMap(({ id }) => id ?? [])
    let changed = 0
    for (let from = 0, isLast = false; !isLast; from += rowsAtOnce) {
      isLast = from + rowsAtOnce >= rows.length
      const written = table.transaction(() => {
        const count = table.put(rows.slice(from, from + rowsAtOnce), next.sweepNumber, askedAt)
        if (isLast) {
          table.spare(spared, next.sweepNumber)
          table.keepProgress(next)
        }
        return count
      })
      changed += written
      onWritten(written, isLast ? next : progress)
      await yieldToEventLoop()
      if (stopped()) throw new FailureError({ kind: 'cancelled' })
    }
    return { changed, next }
  }

  return { ask, keep }
}
type PageReader<Item> = ReturnType<typeof pageReader<Item>>

/** Reads the head of one list. Fails as `pageReader` does. */
function headReader<Item>(deps: LedgerList<Item>, { ask, keep }: PageReader<Item>) {
  const { table, settledBefore, head, now, onWritten } = deps

  const differs = ({ total, excess }: ListProgress): boolean =>
    total !== null && excess !== null && total - table.count() !== excess

  /**
   * Reads the newest rows, down to the settled ones of the last reading. `unsorted`: the service returned another
   * order, which makes the result inconclusive.
   */
  async function readHead(progress: ListProgress): Promise<{ next: ListProgress; unsorted: boolean }> {
    const startedAt = now()
    const { boundary } = progress
    let current = progress
    let reading = beginSweep(startedAt, true)
    const met = new Set<string>()
    while (!reading.ended) {
      const page = await ask(reading)
      const { placed } = page
      const step = stepOf(reading, page, (id) => met.has(id))
      if (step.kind === 'stuck') throw ignoresOffset(reading.offset)
      if (step.kind === 'restart') {
        met.clear()
        reading = beginSweep(startedAt, true, reading.restarts + 1)
        continue
      }
      reading = step.sweep
      placed.forEach(({ id }) => met.add(id))
      const kept = await keep(page, { ...current, total: keptTotal(current, page) })
      current = kept.next
      if (reading.unsorted) return { next: { ...current, sorted: false }, unsorted: true }
      if (boundary !== null && reading.lastTime !== null && reading.lastTime < boundary) break
      const first = reading.offset === placed.length && placed.length >= conclusiveRows
      if (first && kept.changed === 0 && head && page.items.some(head.isOpen) && !differs(current)) break
    }
    const next = { ...current, boundary: settledBefore(startedAt), asOf: startedAt }
    table.keepProgress(next)
    onWritten(0, next)
    return { next, unsorted: false }
  }

  return { differs, readHead }
}

/** Reader of one list. Fails with cancelled if stopped, and as the list and the store do. */
export function createListReader<Item>(deps: LedgerList<Item>) {
  const { table, settledBefore, head, now, onWritten, stopped } = deps
  const pages = pageReader(deps)
  const { ask, keep } = pages
  const { differs, readHead } = headReader(deps, pages)

  const begin = (progress: ListProgress, hurried: boolean, restarts = 0): ListProgress => ({
    ...progress,
    sweepNumber: progress.sweepNumber + 1,
    sorted: true,
    sweep: beginSweep(now(), hurried, restarts),
  })

  /** Reads the next page of the current sweep. */
  async function sweepPage(progress: ListProgress, sweep: Sweep): Promise<ListProgress> {
    const page = await ask(sweep)
    const isMet = (id: string): boolean =>
      table.isMet(id, progress.sweepNumber) || isUnreadableMet(progress, id)
    const step = stepOf(sweep, page, isMet)
    switch (step.kind) {
      case 'on': {
        return (await keep(page, { ...progress, sweep: step.sweep, total: page.total ?? null })).next
      }
      case 'restart':
        return begin(progress, sweep.hurried, sweep.restarts + 1)
      case 'stuck':
        throw ignoresOffset(sweep.offset)
    }
  }

  /** Stores the result of a sweep that reached its end. `attempt` counts sweeps in a row. */
  async function finish(progress: ListProgress, sweep: Sweep, attempt: number): Promise<SweepOutcome> {
    const isRow = (id: string): boolean => table.isMet(id, progress.sweepNumber)
    const { verified, removeBefore } = verdict(
      { sweep: { ...sweep, total: progress.total }, sweepNumber: progress.sweepNumber, attempt },
      { count: table.count(), met: table.countMet(progress.sweepNumber) + unreadableMet(progress, isRow) },
    )
    const from = newestNameless(progress)
    if (removeBefore > from)
      await table.removeBetween(from, removeBefore, stopped, (rows) => onWritten(rows, progress))
    const next: ListProgress = {
      ...withoutUnreadable(progress, removeBefore),
      sweep: null,
      complete: progress.complete || verified || attempt === sweepsInARow,
      sorted: progress.sorted && !sweep.unsorted,
      excess: sweep.miscounts ? null : (progress.total ?? table.count()) - table.count(),
      // After the clock was set back, no row is newer than now.
      asOf: Math.min(now(), Math.max(progress.asOf ?? 0, sweep.startedAt)),
      rolledAt: now(),
    }
    table.keepProgress(next)
    onWritten(0, next)
    return { next, verified }
  }

  /**
   * Continues the current sweep until it ends, or until `pause` returns true between two pages. Rows that began or
   * changed during the sweep are at the head of a sorted list, so the head is read once more at the end.
   */
  async function sweepOn(
    progress: ListProgress,
    attempt: number,
    pause: (pages: number, rows: number) => boolean = () => false,
  ): Promise<SweepOutcome> {
    let current = progress
    for (let count = 0, rows = 0; current.sweep && !current.sweep.ended; count += 1) {
      if (count > 0 && pause(count, rows)) return { next: current, verified: true }
      current = await sweepPage(current, current.sweep)
      rows += current.sweep?.rows ?? 0
    }
    const { sweep } = current
    if (!sweep) return { next: current, verified: true }
    current = withCount(current, sweep)
    const atOnce = sweep.offset === sweep.rows && sweep.repeats === 0
    if (atOnce) current = { ...current, boundary: settledBefore(sweep.startedAt) }
    else if (!sweep.unsorted) {
      // Stored before the head is read, so that an interruption leaves no gap.
      current = { ...current, boundary: current.boundary ?? settledBefore(sweep.startedAt) }
      table.keepProgress(current)
      current = (await readHead(current)).next
    }
    return finish(current, sweep, attempt)
  }

  /** Repeats sweeps without a pause until one meets all rows, or the list never stops changing. */
  async function sweepAll(progress: ListProgress): Promise<ListProgress> {
    let current = progress.sweep?.hurried ? progress : begin(progress, true)
    for (let attempt = 1; ; attempt += 1) {
      const { next, verified } = await sweepOn(current, attempt)
      if (verified || attempt === sweepsInARow) return next
      current = begin(next, true)
    }
  }

  /** Reads the first page of a list of which each reading covers only a part, after rows were added or removed. */
  async function readFirstPage(progress: ListProgress): Promise<ListProgress> {
    const page = await ask(beginSweep(now(), true))
    return (await keep(page, { ...progress, total: keptTotal(progress, page) })).next
  }

  /** Continues the slow second reading at its last place. */
  async function roll(): Promise<ListProgress> {
    const progress = table.progress()
    if (!progress.complete || progress.sweep?.hurried) return sweepAll(progress)
    const under = progress.sweep ? progress : begin(progress, false)
    const { next } = await sweepOn(
      under,
      sweepsInARow,
      (pages, rows) => rows >= rollRows || pages >= rollRequests,
    )
    const rolled = { ...next, rolledAt: now() }
    table.keepProgress(rolled)
    return rolled
  }

  return {
    /** Reads everything again, from the beginning. */
    readAll: (): Promise<ListProgress> => sweepAll({ ...table.progress(), sweep: null }),

    /** Updates the list. Reads the whole list if it was never complete, or if a part is inconclusive. */
    async update(): Promise<ListProgress> {
      const progress = table.progress()
      if (!progress.complete || progress.sweep?.hurried) return sweepAll(progress)
      if (!head) {
        const rolled = await roll()
        return differs(rolled) ? readFirstPage(rolled) : rolled
      }
      if (!progress.sorted) return sweepAll(progress)
      let { next, unsorted } = await readHead(progress)
      // The second reading finds a row that was added between two pages.
      if (!unsorted && differs(next)) ({ next, unsorted } = await readHead(next))
      return unsorted || differs(next) ? sweepAll(next) : next
    },

    roll,
  }
}
export type ListReader = ReturnType<typeof createListReader>
