import type { MonotonicClock } from './clock'

/**
 * Seconds since things began, by a clock that nobody sets. What passed before this run is known by the computer's time
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
