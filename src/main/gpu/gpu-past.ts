import { chainOf, extended, type IdleChain, type LoadPoint, longestGap } from './idle/chain'

/** What the GPUs of a machine did over a time, as far as it matters. Times are epoch seconds. */
export interface GpuPast {
  /** The first point; undefined where there is none. */
  readonly from: number | undefined
  /** The idle time that goes on at the end. */
  readonly chain: IdleChain | undefined
  /** When all of them last told how busy they are; 0: never. */
  readonly told: number
  /** When one of them was last seen at work; 0: never. */
  readonly busy: number
}

export const noPast: GpuPast = { from: undefined, chain: undefined, told: 0, busy: 0 }

const pastOf = (points: readonly LoadPoint[], threshold: number): GpuPast => ({
  from: points[0]?.time,
  chain: chainOf(points, threshold),
  told: points.findLast(({ busiest }) => busiest !== null)?.time ?? 0,
  busy: points.findLast(({ busiest }) => busiest !== null && busiest >= threshold)?.time ?? 0,
})

export const withPoint = (past: GpuPast, point: LoadPoint, threshold: number): GpuPast => ({
  from: past.from ?? point.time,
  chain: extended(past.chain, point, threshold),
  told: point.busiest === null ? past.told : point.time,
  busy: point.busiest !== null && point.busiest >= threshold ? point.time : past.busy,
})

/** Two times as one; they may overlap. Idle time goes on into the later one where that has no break. */
export function joinedPast(early: GpuPast, late: GpuPast): GpuPast {
  if (late.from === undefined) return early
  const [before, after] = [early.chain, late.chain]
  const goesOn = before && after?.since === late.from && late.from - before.last <= longestGap
  return {
    from: early.from ?? late.from,
    chain: goesOn ? { since: Math.min(before.since, after.since), last: after.last } : after,
    told: Math.max(early.told, late.told),
    busy: Math.max(early.busy, late.busy),
  }
}

/** The busiest GPU since `from`, oldest first, null where one told none; undefined while the store cannot answer. */
export type KeptLoad = (from: number) => readonly (readonly [number, number | null])[] | undefined

/** Seconds of samples that are looked at first, and where all of that was idle (sample-table.ts: minutes, hours). */
const keptMinutes = 604_800
const keptHours = 7_776_000

/** What the kept samples say; undefined while the store cannot answer. */
export function recalledPast(kept: KeptLoad, threshold: number, now: number): GpuPast | undefined {
  const since = (from: number): GpuPast | undefined => {
    const points = kept(from)?.map(([time, busiest]): LoadPoint => ({ time, busiest }))
    return points && pastOf(points, threshold)
  }
  const past = since(now - keptMinutes)
  const isWhole = past?.chain && past.chain.since - (now - keptMinutes) <= longestGap
  return isWhole ? (since(now - keptHours) ?? past) : past
}
