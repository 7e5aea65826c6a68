import type { MonotonicClock } from './clock'

/**
 * Seconds since things began, by a clock that is never set. What passed before this run is known by the computer's time
 * alone, and is never negative.
 */
export function createElapsed({ now, monotonic }: Pick<MonotonicClock, 'now' | 'monotonic'>) {
  /** When it began, in seconds of `monotonic`, by id. */
  const beginnings = new Map<string, number>()
  return {
    begin: (id: string): void => void beginnings.set(id, monotonic()),
    /** `since` is epoch seconds, for what began before this run. */
    of(id: string, since: number): number {
      const beginning = beginnings.get(id) ?? monotonic() - Math.max(0, now() - since)
      beginnings.set(id, beginning)
      return monotonic() - beginning
    },
    forget: (id: string): void => void beginnings.delete(id),
  }
}

/**
 * Whether `at` lies within the last `seconds` before `now`; all in seconds since the epoch. A moment of the future, after
 * the clock was set back, does not: what waits for it would wait until the clock has caught up.
 */
export const isRecent = (at: number, seconds: number, now: number): boolean => at <= now && now - at < seconds
