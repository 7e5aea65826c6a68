import { LRUCache } from 'lru-cache'
import type { Clock } from './clock'

/** Upper bound on cached answers; the least recently used are evicted. */
const maxAnswers = 500

/** Caches answers by key. Callers share a request in progress; failures are not cached. `now`: epoch seconds. */
export function createTtlCache<Value extends object>(lifetimeSeconds: number, now: Clock['now']) {
  const cache = new LRUCache<string, Value, () => Promise<Value>>({
    max: maxAnswers,
    // lru-cache keeps entries that are exactly as old as their ttl.
    ttl: lifetimeSeconds * 1000 - 1,
    ttlResolution: 0,
    // lru-cache treats a time of 0 as unset.
    perf: { now: () => now() * 1000 + 1 },
    // Callers that share a dropped request still get its answer.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: ask }) => ask(),
  })
  let latest = 0
  let drops = 0

  /** The age of answers is unknown after the clock was set back. */
  function watchClock(): void {
    if (now() < latest) cache.clear()
    latest = now()
  }

  return {
    /** `fresh` requests again unless a request is in progress. */
    async get(key: string, fresh: boolean | undefined, ask: () => Promise<Value>): Promise<Value> {
      watchClock()
      const before = drops
      const answer = await cache.forceFetch(key, { forceRefresh: fresh ?? false, context: ask })
      // lru-cache keeps the answer to a dropped request.
      if (drops !== before && cache.peek(key) === answer) cache.delete(key)
      return answer
    },
    forget(matches: (key: string) => boolean): void {
      drops += 1
      for (const key of cache.keys()) if (matches(key)) cache.delete(key)
    },
  }
}
