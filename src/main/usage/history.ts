import type { Usage } from '#shared/service/billing'
import type { Page } from '#shared/service/page'
import type { Clock } from '../core/clock'
import type { Reading } from '../core/read-all-pages'

/** Seconds between two readings of the whole history without visible changes. */
const wholeEvery = 900

interface Kept {
  readonly entry: Usage
  /** Epoch seconds. */
  readonly seenAt: number
}

/** Active and ended usage of an account: read whole once, then updated. Times are epoch seconds. */
export function createUsageHistory(now: Clock['now']) {
  const kept = new Map<string, Kept>()
  let whole: Reading<Usage> | undefined
  let readAt = 0

  const isRecent = (): boolean => whole !== undefined && now() >= readAt && now() < readAt + wholeEvery

  const put = (entries: readonly Usage[], seenAt: number): void =>
    entries.forEach((entry) => kept.set(entry.id, { entry, seenAt }))

  const reading = (found: Reading<Usage>): Reading<Usage> => ({
    ...found,
    items: [...kept.values()].map(({ entry }) => entry),
  })

  return {
    isRecent,
    seenAt: (id: string): number => kept.get(id)?.seenAt ?? readAt,
    expire: (): void => {
      whole = undefined
    },
    replace(found: Reading<Usage>, seenAt: number): Reading<Usage> {
      kept.clear()
      put(found.items, seenAt)
      whole = found
      readAt = seenAt
      return found
    },
    /**
     * Returns the history with new entries from the head of the list, newest first; undefined if that is inconclusive
     * and everything must be read.
     */
    followHead({ items, total }: Page<Usage>, seenAt: number): Reading<Usage> | undefined {
      if (!whole || !isRecent()) return undefined
      const added = items.filter(({ id }) => !kept.has(id)).length
      const reaches = added < items.length || (items.length === 0 && kept.size === 0)
      const grown = total === undefined || whole.total === null ? added : total - whole.total
      if (!reaches || grown !== added) return undefined
      put(items, seenAt)
      whole = { ...whole, total: total ?? null }
      return reading(whole)
    },
    /**
     * Returns the history with the active usage; undefined if another entry ended, so that everything must be read.
     */
    followActive(
      active: Reading<Usage>,
      isActive: (entry: Usage) => boolean,
      seenAt: number,
    ): Reading<Usage> | undefined {
      if (!whole || !isRecent() || !active.complete) return undefined
      const present = new Set(active.items.map(({ id }) => id))
      if ([...kept.values()].some(({ entry }) => isActive(entry) && !present.has(entry.id))) return undefined
      put(active.items, seenAt)
      return reading(whole)
    },
  }
}
export type UsageHistory = ReturnType<typeof createUsageHistory>
