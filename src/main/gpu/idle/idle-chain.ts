/** How busy a machine was at a moment (epoch seconds): the busiest of its GPUs, or its CPU, in percent; null: not known. */
export interface LoadPoint {
  readonly time: number
  readonly busiest: number | null
}

/** A stretch without work that has not ended: every point from `since` to `last` was under the threshold. */
export interface IdleChain {
  readonly since: number
  readonly last: number
}

/** Seconds between two points over which a stretch is taken to last; a longer gap is unknown. */
export const longestGap = 900

/** Seconds after which the last point says nothing about now. */
const freshFor = 900

/** The stretch after one more point; undefined where it has ended. Points come in the order of time. */
export function extended(
  chain: IdleChain | undefined,
  { time, busiest }: LoadPoint,
  threshold: number,
): IdleChain | undefined {
  if (busiest === null || busiest >= threshold) return undefined
  if (!chain || time - chain.last > longestGap) return { since: time, last: time }
  return { since: chain.since, last: Math.max(chain.last, time) }
}

/** The stretch at the end of `points`, oldest first. Pure. */
export const chainOf = (points: readonly LoadPoint[], threshold: number): IdleChain | undefined =>
  points.reduce<IdleChain | undefined>((chain, point) => extended(chain, point, threshold), undefined)

/** Since when the machine is idle (epoch seconds); undefined where it is not, or its load is unknown. Pure. */
export const idleSince = (
  chain: IdleChain | undefined,
  { minutes, now, fresh = freshFor }: { minutes: number; now: number; fresh?: number },
): number | undefined =>
  chain && now - chain.last <= fresh && Math.max(now, chain.last) - chain.since >= minutes * 60
    ? chain.since
    : undefined
