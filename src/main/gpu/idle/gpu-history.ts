import { chainOf, extended, type IdleChain, type LoadPoint, maxGapSeconds } from './idle-chain'

/** Load of a machine's GPUs over a period. Times are epoch seconds. */
export interface GpuHistory {
  readonly from: number | undefined
  readonly chain: IdleChain | undefined
  /** Last time when the load of all GPUs was known; 0 if never. */
  readonly knownAt: number
  /** Last time when a GPU was at work; 0 if never. */
  readonly busyAt: number
}

export const emptyHistory: GpuHistory = { from: undefined, chain: undefined, knownAt: 0, busyAt: 0 }

const historyOf = (points: readonly LoadPoint[], threshold: number): GpuHistory => ({
  from: points[0]?.time,
  chain: chainOf(points, threshold),
  knownAt: points.findLast(({ busiest }) => busiest !== null)?.time ?? 0,
  busyAt: points.findLast(({ busiest }) => busiest !== null && busiest >= threshold)?.time ?? 0,
})

/** Adds a point. Starts over if the clock was set back, because the times of earlier points are then wrong. */
export function withPoint(before: GpuHistory, point: LoadPoint, threshold: number): GpuHistory {
  const history = before.knownAt - point.time > maxGapSeconds ? emptyHistory : before
  return {
    from: history.from ?? point.time,
    chain: extended(history.chain, point, threshold),
    knownAt: point.busiest === null ? history.knownAt : point.time,
    busyAt: point.busiest !== null && point.busiest >= threshold ? point.time : history.busyAt,
  }
}

/** Joins two histories, which may overlap. Idle time continues into the later one if there is no gap between them. */
export function joinedHistory(early: GpuHistory, late: GpuHistory): GpuHistory {
  if (late.from === undefined) return early
  const [before, after] = [early.chain, late.chain]
  const isContinuous = before && after?.since === late.from && late.from - before.last <= maxGapSeconds
  return {
    from: early.from ?? late.from,
    chain: isContinuous ? { since: Math.min(before.since, after.since), last: after.last } : after,
    knownAt: Math.max(early.knownAt, late.knownAt),
    busyAt: Math.max(early.busyAt, late.busyAt),
  }
}

/**
 * Returns the stored load of the busiest GPU since `from`, oldest first; null if one GPU had no value. Returns undefined
 * while the store cannot answer.
 */
export type StoredLoad = (from: number) => readonly (readonly [number, number | null])[] | undefined

/** Period of samples read at first, and if all of them were idle (sample-table.ts: minutes, hours). */
const minutesReadSeconds = 604_800
const hoursReadSeconds = 7_776_000

/** Returns the history in the stored samples; undefined while the store cannot answer. */
export function storedHistory(stored: StoredLoad, threshold: number, now: number): GpuHistory | undefined {
  const since = (from: number): GpuHistory | undefined => {
    // Skips samples written while the clock was ahead.
    const points = stored(from)?.flatMap(([time, busiest]): LoadPoint[] =>
      time > now ? [] : [{ time, busiest }],
    )
    return points && historyOf(points, threshold)
  }
  const history = since(now - minutesReadSeconds)
  const isWhole = history?.chain && history.chain.since - (now - minutesReadSeconds) <= maxGapSeconds
  return isWhole ? (since(now - hoursReadSeconds) ?? history) : history
}
