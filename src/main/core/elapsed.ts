import type { MonotonicClock } from './clock'

/**
 * Measures seconds since a beginning with a clock that is never set. For beginnings before this run it uses the
 * computer's time; the result is never negative.
 */
export function createElapsed({ now, monotonic }: Pick<MonotonicClock, 'now' | 'monotonic'>) {
  const beginnings = new Map<string, number>()
  return {
    begin: (id: string): void => void beginnings.set(id, monotonic()),
    /** `since`, in epoch seconds, is used for beginnings before this run. */
    of(id: string, since: number): number {
      const beginning = beginnings.get(id) ?? monotonic() - Math.max(0, now() - since)
      beginnings.set(id, beginning)
      return monotonic() - beginning
    },
    forget: (id: string): void => void beginnings.delete(id),
  }
}
export type Elapsed = ReturnType<typeof createElapsed>

/**
 * Whether `at` is within the last `seconds` before `now`, all in epoch seconds. A future moment, after the clock was
 * set back, is not recent: waiting for it could take forever.
 */
export const isRecent = (at: number, seconds: number, now: number): boolean => at <= now && now - at < seconds
