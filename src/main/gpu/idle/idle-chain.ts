/** Load at a moment (epoch seconds): percent of the busiest GPU, or of the CPU; null if unknown. */
export interface LoadPoint {
  readonly time: number
  readonly busiest: number | null
}

/** Idle time that has not ended: every point from `since` to `last` was below the threshold. */
export interface IdleChain {
  readonly since: number
  readonly last: number
}

/** Longest gap between two points of one idle time. The load in a longer gap is unknown. */
export const maxGapSeconds = 900

/** Age up to which the last point describes the present. */
const freshSeconds = 900

/** Adds a point to an idle time; undefined if the point ends it. Points must be in chronological order. */
function extended(
  chain: IdleChain | undefined,
  { time, busiest }: LoadPoint,
  threshold: number,
): IdleChain | undefined {
  if (busiest === null || busiest >= threshold) return undefined
  if (!chain || time - chain.last > maxGapSeconds) return { since: time, last: time }
  return { since: chain.since, last: Math.max(chain.last, time) }
}

/** Returns the idle time at the end of `points`, oldest first. Pure. */
export const chainOf = (points: readonly LoadPoint[], threshold: number): IdleChain | undefined =>
  points.reduce<IdleChain | undefined>((chain, point) => extended(chain, point, threshold), undefined)

/** Returns since when the machine is idle (epoch seconds); undefined if it is busy or its load is unknown. Pure. */
export const idleSince = (
  chain: IdleChain | undefined,
  { minutes, now, fresh = freshSeconds }: { minutes: number; now: number; fresh?: number },
): number | undefined =>
  chain && now - chain.last <= fresh && Math.max(now, chain.last) - chain.since >= minutes * 60
    ? chain.since
    : undefined
