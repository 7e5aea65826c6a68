import { LRUCache } from 'lru-cache'
import type { Clock } from './clock'

/** Answers kept at once; the oldest unused goes first. Far more than the lists that a person looks at. */
const maxAnswers = 500

/**
 * Answers that are kept for `lifetimeSeconds`, by key. Callers share a question in flight; a failure
 * is passed on and not kept. `now` is epoch seconds.
 */
export function createTtlCache<Value extends object>(lifetimeSeconds: number, now: Clock['now']) {
  const cache = new LRUCache<string, Value, () => Promise<Value>>({
    max: maxAnswers,
    // The library keeps what is exactly as old as its ttl.
    ttl: lifetimeSeconds * 1000 - 1,
    ttlResolution: 0,
    // It takes a time of 0 for none.
    perf: { now: () => now() * 1000 + 1 },
    // Callers that share a dropped question get its answer all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: ask }) => ask(),
  })
  let latest = 0
  /** How often answers were dropped. */
  let drops = 0

  /** How old an answer is cannot be known by a clock that was set back. */
  function watchClock(): void {
    if (now() < latest) cache.clear()
    latest = now()
  }

  return {
    /** `fresh` asks again unless a question is under way. */
    async get(key: string, fresh: boolean | undefined, ask: () => Promise<Value>): Promise<Value> {
      watchClock()
      const before = drops
      const answer = await cache.forceFetch(key, { forceRefresh: fresh ?? false, context: ask })
      // The library keeps the answer to a question that was dropped while it was asked.
      if (drops !== before && cache.peek(key) === answer) cache.delete(key)
      return answer
    },
    /** Drops the answers whose key matches. */
    forget(matches: (key: string) => boolean): void {
      drops += 1
      for (const key of cache.keys()) if (matches(key)) cache.delete(key)
    },
  }
}
