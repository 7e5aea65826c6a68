import { FailureError } from '#shared/failure'
import type { Page, PageQuery, UnreadableRecord } from '#shared/service/page'
import type { Clock } from './clock'
import { createPageWalk } from './page-walk'
import { unreadableKey } from './unreadable'

export interface Reading<T> {
  /** In the service's order, each id once. */
  readonly items: readonly T[]
  readonly total: number | null
  readonly unreadable: readonly UnreadableRecord[]
  /** Every page was read, and the records match the total, if one is reported. */
  readonly complete: boolean
  /** Total minus received records if every page was read and a total is reported; else null. */
  readonly excess?: number | null
}

/** Upper bound on the records of a reading, in case a list never ends. */
const maxRecords = 100_000

const progressGrowth = 1.25

function beginReading<T extends { readonly id: string }>() {
  return {
    items: new Map<string, T>(),
    unreadable: new Map<string, UnreadableRecord>(),
    walk: createPageWalk(),
  }
}

/**
 * Reads a whole list page by page. Pages may shift, overlap, repeat or be short, and totals may be wrong: each id
 * counts once, and reading ends when nothing new comes. `onProgress` receives all records so far, at first with every
 * page, then less often. Fails as `list` does.
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
    if (walk.take(page) || walk.count() > maxRecords) return reading()
    // A list that seems whole is returned once that is certain.
    if (!onProgress || walk.count() === walk.total() || walk.count() <= reported * progressGrowth) continue
    reported = walk.count()
    onProgress(reading())
  }
}

/** Seconds after its beginning during which an interrupted reading may resume. */
const resumeWithinSeconds = 60

/**
 * Reads a whole list as readAll does. A reading that a rate limit interrupted resumes at the next call; otherwise a
 * list longer than the limit would never be read. `now` is epoch seconds.
 */
export function createResumingReader<T extends { readonly id: string }>(now: Clock['now']) {
  let interrupted: { readonly reading: ReturnType<typeof beginReading<T>>; readonly began: number } | null =
    null
  /** Number of `forget` calls; readings that began before are not resumed. */
  let forgets = 0
  return {
    async read(
      list: (page: PageQuery) => Promise<Page<T>>,
      pageSize: number,
      onProgress?: (reading: Reading<T>) => void,
    ): Promise<Reading<T>> {
      const age = interrupted ? now() - interrupted.began : -1
      const current =
        interrupted && age >= 0 && age <= resumeWithinSeconds
          ? interrupted
          : { reading: beginReading<T>(), began: now() }
      interrupted = null
      const generation = forgets
      try {
        return await readAll(list, pageSize, onProgress, current.reading)
      } catch (error) {
        const isPause = error instanceof FailureError && error.failure.kind === 'rate-limited'
        if (isPause && generation === forgets) interrupted = current
        throw error
      }
    },
    forget: (): void => {
      forgets += 1
      interrupted = null
    },
  }
}
