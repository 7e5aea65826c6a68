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

/** Rows kept in one transaction, a page as it was asked for: smaller ones write the same index pages again. */
const rowsAtOnce = 1_000

/** Rows that one step of the slow re-reading reads at least, where it has so many, and requests that it makes at most. */
const rollRows = 1_000
const rollRequests = 10

/** Sweeps in a row that may find that something changed under them. */
const sweepsInARow = 3

/** A first page with this many rows, all as they were, shows that nothing is new. */
const conclusiveRows = 200

/** One list of an account, at the service and in the store. */
export interface LedgerList<Item> {
  readonly table: LedgerTable
  list(page: PageQuery): Promise<Page<Item>>
  /** The field that it is sorted by, the newest first. */
  readonly sortField: string
  place(item: Item): Placed
  row(item: Item): Row
  /** From when on items may be missing, or have changed at the head, since `asOf`; null where nothing is known. */
  settledBefore(asOf: number): number | null
  /** Whether unprompted changes are at the head of the list; undefined where it may be anywhere. */
  readonly head?: {
    /** Whether the item may change without anybody correcting it. */
    isOpen(item: Item): boolean
  }
  readonly now: Clock['now']
  /** Called with each write, before the reading can be interrupted: how many rows are new, changed or gone. */
  onWritten(changed: number, progress: ListProgress): void
  /** Whether the reading is to end; the next one resumes where it was. */
  stopped(): boolean
}

interface AskedPage<Item> extends JudgedPage<Item>, SaidTotal {
  /** Epoch seconds: the page is at least as new. */
  readonly askedAt: number
}

interface SweepOutcome {
  readonly next: ListProgress
  /** It met every row that there was at its end. */
  readonly verified: boolean
}

const ignoresOffset = (offset: number): FailureError =>
  new FailureError({
    kind: 'unexpected-answer',
    expected: `rows from ${String(offset)} on`,
    received: 'the same rows as before',
  })

/** Fails with cancelled where the reading was ended, and as the list and the store do. */
export function createListReader<Item>(deps: LedgerList<Item>) {
  const { table, list, sortField, place, row, settledBefore, head, now, onWritten, stopped } = deps

  /** The next page of a reading, empty where the service refuses it because the list ends before. */
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
   * Keeps a page, and with its last rows where the reading stands: rows that come once more harm nothing. A few at a
   * time, since everything else waits for it. Returns how many rows are new or changed.
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

  const begin = (progress: ListProgress, hurried: boolean, restarts = 0): ListProgress => ({
    ...progress,
    sweepNumber: progress.sweepNumber + 1,
    sorted: true,
    sweep: beginSweep(now(), hurried, restarts),
  })

  /** Reads the next page of the sweep under way. */
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

  /** Settles what a sweep found that has come to its end, after so many attempts in a row. */
  async function finish(progress: ListProgress, sweep: Sweep, attempt: number): Promise<SweepOutcome> {
    const isRow = (id: string): boolean => table.isMet(id, progress.sweepNumber)
    const { verified, removeBefore } = verdict(
      { sweep: { ...sweep, total: progress.total }, sweepNumber: progress.sweepNumber, attempt },
      { count: table.count(), met: table.countMet(progress.sweepNumber) + unreadableMet(progress, isRow) },
    )
    const from = newestNameless(progress)
    const removed = removeBefore > from ? await table.removeBetween(from, removeBefore, stopped) : 0
    const next: ListProgress = {
      ...withoutUnreadable(progress, removeBefore),
      sweep: null,
      complete: progress.complete || verified || attempt === sweepsInARow,
      sorted: progress.sorted && !sweep.unsorted,
      excess: sweep.miscounts ? null : (progress.total ?? table.count()) - table.count(),
      // A clock that was set back makes nothing newer than now.
      asOf: Math.min(now(), Math.max(progress.asOf ?? 0, sweep.startedAt)),
      rolledAt: now(),
    }
    table.keepProgress(next)
    onWritten(removed, next)
    return { next, verified }
  }

  /**
   * Reads on until the sweep under way ends, or until `pause` says so between two pages. What was begun or has changed
   * while it read is at the head of a sorted list, and read once more before the sweep counts as done.
   */
  async function sweepOn(
    progress: ListProgress,
    attempt: number,
    pause: (pages: number, rows: number) => boolean = () => false,
  ): Promise<SweepOutcome> {
    let current = progress
    for (let pages = 0, rows = 0; current.sweep && !current.sweep.ended; pages += 1) {
      if (pages > 0 && pause(pages, rows)) return { next: current, verified: true }
      current = await sweepPage(current, current.sweep)
      rows += current.sweep?.rows ?? 0
    }
    const { sweep } = current
    if (!sweep) return { next: current, verified: true }
    current = withCount(current, sweep)
    const atOnce = sweep.offset === sweep.rows && sweep.repeats === 0
    if (atOnce) current = { ...current, boundary: settledBefore(sweep.startedAt) }
    else if (!sweep.unsorted) {
      // Kept before the head is read, so that a reading that is interrupted there leaves no gap.
      current = { ...current, boundary: current.boundary ?? settledBefore(sweep.startedAt) }
      table.keepProgress(current)
      current = (await readHead(current)).next
    }
    return finish(current, sweep, attempt)
  }

  /** Sweeps without a pause until one meets everything that there is, or the service never holds still. */
  async function sweepAll(progress: ListProgress): Promise<ListProgress> {
    let current = progress.sweep?.hurried ? progress : begin(progress, true)
    for (let attempt = 1; ; attempt += 1) {
      const { next, verified } = await sweepOn(current, attempt)
      if (verified || attempt === sweepsInARow) return next
      current = begin(next, true)
    }
  }

  const differs = ({ total, excess }: ListProgress): boolean =>
    total !== null && excess !== null && total - table.count() !== excess

  /**
   * Reads what is newest, down to what was settled at the last reading. `unsorted`: the service gave another order, so
   * that this is inconclusive.
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

  /** The beginning of a list of which only some is read each time, where something was added or is gone. */
  async function readFirstPage(progress: ListProgress): Promise<ListProgress> {
    const page = await ask(beginSweep(now(), true))
    return (await keep(page, { ...progress, total: keptTotal(progress, page) })).next
  }

  /** Reads a little of the list again, from where it was left the last time. */
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

    /** Brings the list up to date; reads the whole of it where less is inconclusive, or where it was not read yet. */
    async update(): Promise<ListProgress> {
      const progress = table.progress()
      if (!progress.complete || progress.sweep?.hurried) return sweepAll(progress)
      if (!head) {
        const rolled = await roll()
        return differs(rolled) ? readFirstPage(rolled) : rolled
      }
      if (!progress.sorted) return sweepAll(progress)
      let { next, unsorted } = await readHead(progress)
      // One that came between two pages is there at the second look.
      if (!unsorted && differs(next)) ({ next, unsorted } = await readHead(next))
      return unsorted || differs(next) ? sweepAll(next) : next
    },

    roll,
  }
}
export type ListReader = ReturnType<typeof createListReader>
