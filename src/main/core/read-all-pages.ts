import { FailureError } from '#shared/failure'
import type { Page, PageQuery, UnreadableRecord } from '#shared/service/page'
import type { Clock } from './clock'
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
  /** By how many records the total differs from what came, if every page was read and a total is reported; else null. */
  readonly excess?: number | null
}

/** Records that a reading holds at once: a list without an end does not fill the memory. */
const mostRecords = 100_000

/** Times as many records as were reported last, before those that have come so far are reported again. */
const reportedGrowth = 1.25

/** A reading that has begun: what has come of the list so far. */
function beginReading<T extends { readonly id: string }>() {
  return {
    items: new Map<string, T>(),
    unreadable: new Map<string, UnreadableRecord>(),
    walk: createPageWalk(),
  }
}

/**
 * A whole list, page by page. Pages shift while they are read, overlap, are shorter than asked for or come twice, and
 * totals are wrong: each id counts once, and reading ends where nothing new comes. `onProgress` sees what has come so far:
 * at first with every page, then less and less often, since it sees all of it each time. Fails as `list` does.
 */
export async function readAll<T extends { readonly id: string }>(
  list: (page: PageQuery) => Promise<Page<T>>,
  pageSize: number,
  onProgress?: (reading: Reading<T>) => void,
  { items, unreadable, walk } = beginReading<T>(),
): Promise<Reading<T>> {
  const reading = (): Reading<T> => ({
    items: [...items.values()],
    total: walk.total(),
    unreadable: [...unreadable.values()].filter(({ id }) => id === null || !items.has(id)),
    complete: walk.isComplete(),
    excess: walk.excess(),
  })
  let reported = 0
  for (;;) {
    const page = await list({ limit: pageSize, offset: walk.offset() }).catch((error: unknown) =>
      walk.afterRefusal(error),
    )
    for (const item of page.items) items.set(item.id, item)
    for (const record of page.unreadable ?? []) unreadable.set(unreadableKey(record), record)
    if (walk.take(page) || walk.count() > mostRecords) return reading()
    // What seems to be all is shown when that is known.
    if (!onProgress || walk.count() === walk.total() || walk.count() <= reported * reportedGrowth) continue
    reported = walk.count()
    onProgress(reading())
  }
}

/** Seconds after its beginning for which a reading resumes where a pause has interrupted it. */
const resumedFor = 60

/**
 * Reads a whole list as readAll does. A reading that a pause of the service has interrupted resumes from there the next
 * time: where every reading is long enough to be interrupted, none would ever end. `now` is epoch seconds.
 */
export function createResumingReader<T extends { readonly id: string }>(now: Clock['now']) {
  let interrupted: { readonly reading: ReturnType<typeof beginReading<T>>; readonly began: number } | null =
    null
  /** How often it was forgotten: what had begun before is not resumed. */
  let times = 0
  return {
    async read(
      list: (page: PageQuery) => Promise<Page<T>>,
      pageSize: number,
      onProgress?: (reading: Reading<T>) => void,
    ): Promise<Reading<T>> {
      const age = interrupted ? now() - interrupted.began : -1
      const current =
        interrupted && age >= 0 && age <= resumedFor
          ? interrupted
          : { reading: beginReading<T>(), began: now() }
      interrupted = null
      const mine = times
      try {
        return await readAll(list, pageSize, onProgress, current.reading)
      } catch (error) {
        const isPause = error instanceof FailureError && error.failure.kind === 'rate-limited'
        if (isPause && mine === times) interrupted = current
        throw error
      }
    },
    forget: (): void => {
      times += 1
      interrupted = null
    },
  }
}
