import { chainOf, extended, type IdleChain, type LoadPoint, longestGap } from './idle-chain'

/** The load of a machine's GPUs over a time, as far as it matters. Times are epoch seconds. */
export interface GpuHistory {
  /** The first point; undefined where there is none. */
  readonly from: number | undefined
  /** The idle time that has not ended. */
  readonly chain: IdleChain | undefined
  /** The last point at which the load of all of them was known; 0: none. */
  readonly knownAt: number
  /** The last point at which one of them was at work; 0: none. */
  readonly busyAt: number
}

export const emptyHistory: GpuHistory = { from: undefined, chain: undefined, knownAt: 0, busyAt: 0 }

const historyOf = (points: readonly LoadPoint[], threshold: number): GpuHistory => ({
  from: points[0]?.time,
  chain: chainOf(points, threshold),
  knownAt: points.findLast(({ busiest }) => busiest !== null)?.time ?? 0,
  busyAt: points.findLast(({ busiest }) => busiest !== null && busiest >= threshold)?.time ?? 0,
})

/** Begins anew where the clock was set back: when those points were is no longer known. */
export function withPoint(before: GpuHistory, point: LoadPoint, threshold: number): GpuHistory {
  const history = before.knownAt - point.time > longestGap ? emptyHistory : before
  return {
    from: history.from ?? point.time,
    chain: extended(history.chain, point, threshold),
    knownAt: point.busiest === null ? history.knownAt : point.time,
    busyAt: point.busiest !== null && point.busiest >= threshold ? point.time : history.busyAt,
  }
}

/** Two histories as one; they may overlap. Idle time extends into the later one where that has no break. */
export function joinedHistory(early: GpuHistory, late: GpuHistory): GpuHistory {
  if (late.from === undefined) return early
  const [before, after] = [early.chain, late.chain]
  const goesOn = before && after?.since === late.from && late.from - before.last <= longestGap
  return {
    from: early.from ?? late.from,
    chain: goesOn ? { since: Math.min(before.since, after.since), last: after.last } : after,
    knownAt: Math.max(early.knownAt, late.knownAt),
    busyAt: Math.max(early.busyAt, late.busyAt),
  }
}

/**
 * The stored load of the busiest GPU since `from`, oldest first, null where one of them had no value; undefined while
 * the store cannot answer.
 */
export type StoredLoad = (from: number) => readonly (readonly [number, number | null])[] | undefined

/** Seconds of samples that are read first, and where all of that was idle (sample-table.ts: minutes, hours). */
const storedMinutes = 604_800
const storedHours = 7_776_000

/** The history in the stored samples; undefined while the store cannot answer. */
export function storedHistory(stored: StoredLoad, threshold: number, now: number): GpuHistory | undefined {
  const since = (from: number): GpuHistory | undefined => {
    // What was written while the clock was ahead says nothing.
    const points = stored(from)?.flatMap(([time, busiest]): LoadPoint[] =>
      time > now ? [] : [{ time, busiest }],
    )
    return points && historyOf(points, threshold)
  }
  const history = since(now - storedMinutes)
  const isWhole = history?.chain && history.chain.since - (now - storedMinutes) <= longestGap
  return isWhole ? (since(now - storedHours) ?? history) : history
}
