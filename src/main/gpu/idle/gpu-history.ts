import { barelyUsedPercent } from '#shared/gpu-load'
import type { GpuLoad } from '../telemetry/gpu-samples'
import { type IdleChain, maxGapSeconds } from './idle-chain'

/** Time in a state that has not ended, among points that show whether the state holds. */
interface Run {
  /** Time of the first of those points, in epoch seconds. */
  readonly first: number | undefined
  readonly chain: IdleChain | undefined
}

/** Load of a machine's GPUs over a period. Times are epoch seconds. */
export interface GpuHistory {
  readonly idle: Run
  /** Idle without a gap in which work could go unseen (`unbrokenGapSeconds`). */
  readonly unbroken: Run
  /** Memory is in use. */
  readonly held: Run
  /** GPUs are busy, but hardly any part of them is in use. */
  readonly barelyUsed: Run
  /** Whether an activity was estimated from the power. */
  readonly isEstimated: boolean
  /** Memory in use at the last point, in MiB. */
  readonly heldMebibytes: number
  /** Last time when the load of all GPUs was known; 0 if never. */
  readonly knownAt: number
  /** Last time when a GPU was at work; 0 if never. */
  readonly busyAt: number
}

const emptyRun: Run = { first: undefined, chain: undefined }
export const emptyHistory: GpuHistory = {
  idle: emptyRun,
  unbroken: emptyRun,
  held: emptyRun,
  barelyUsed: emptyRun,
  isEstimated: false,
  heldMebibytes: 0,
  knownAt: 0,
  busyAt: 0,
}

/** Mean utilization in percent from which a GPU is busy without a break, unlike with short bursts. */
const steadilyBusyPercent = 50

/** Longest gap between two readings of the activity, which is read every 10 minutes. */
export const activityGapSeconds = 1_500

/**
 * Longest gap in an idle time that may end a machine: two background readings may fail. Machines that take turns are unread
 * for longer.
 */
export const unbrokenGapSeconds = 180

/** Whether GPUs are busy but barely used; undefined if the point does not show it. */
function isBarelyUsed({ average, activity }: GpuLoad): boolean | undefined {
  if (average === null || average < steadilyBusyPercent) return false
  return activity === null ? undefined : activity < barelyUsedPercent
}

/** Adds a point to a run. `holds`: whether the state holds at `time`; undefined if the point does not show it. */
function withRunPoint(run: Run, time: number, holds: boolean | undefined, gap: number): Run {
  if (holds === undefined) return run
  const first = run.first ?? time
  if (!holds) return { first, chain: undefined }
  if (!run.chain || time - run.chain.last > gap) return { first, chain: { since: time, last: time } }
  return { first, chain: { since: run.chain.since, last: Math.max(run.chain.last, time) } }
}

/** Joins two runs, which may overlap. The state continues into the later run if there is no gap between them. */
function joinedRun(early: Run, late: Run, gap: number): Run {
  if (late.first === undefined) return early
  const [before, after] = [early.chain, late.chain]
  const isContinuous = before && after?.since === late.first && late.first - before.last <= gap
  return {
    first: early.first ?? late.first,
    chain: isContinuous ? { since: Math.min(before.since, after.since), last: after.last } : after,
  }
}

/** Adds a point. Starts over if the clock was set back, because the times of earlier points are then wrong. */
export function withPoint(before: GpuHistory, point: GpuLoad, threshold: number): GpuHistory {
  const history = before.knownAt - point.time > maxGapSeconds ? emptyHistory : before
  const { time, busiest, held } = point
  const isBusy = busiest !== null && busiest >= threshold
  const isIdle = busiest !== null && !isBusy
  return {
    idle: withRunPoint(history.idle, time, isIdle, maxGapSeconds),
    unbroken: withRunPoint(history.unbroken, time, isIdle, unbrokenGapSeconds),
    held: withRunPoint(history.held, time, held !== null && held > 0, maxGapSeconds),
    barelyUsed: withRunPoint(history.barelyUsed, time, isBarelyUsed(point), activityGapSeconds),
    isEstimated: history.isEstimated || point.isEstimated,
    heldMebibytes: held ?? 0,
    knownAt: busiest === null ? history.knownAt : time,
    busyAt: isBusy ? time : history.busyAt,
  }
}

/** Joins two histories, which may overlap. */
export function joinedHistory(early: GpuHistory, late: GpuHistory): GpuHistory {
  if (late.idle.first === undefined) return early
  return {
    idle: joinedRun(early.idle, late.idle, maxGapSeconds),
    unbroken: joinedRun(early.unbroken, late.unbroken, unbrokenGapSeconds),
    held: joinedRun(early.held, late.held, maxGapSeconds),
    barelyUsed: joinedRun(early.barelyUsed, late.barelyUsed, activityGapSeconds),
    isEstimated: early.isEstimated || late.isEstimated,
    heldMebibytes: late.heldMebibytes,
    knownAt: Math.max(early.knownAt, late.knownAt),
    busyAt: Math.max(early.busyAt, late.busyAt),
  }
}

/** Returns the stored load since `from`, oldest first. Returns undefined while the store cannot answer. */
export type StoredLoad = (from: number) => readonly GpuLoad[] | undefined

/** Period of samples read at first, and if all of them were idle (sample-table.ts: minutes, hours). */
const minutesReadSeconds = 604_800
const hoursReadSeconds = 7_776_000

/** Returns the history in the stored samples; undefined while the store cannot answer. */
export function storedHistory(stored: StoredLoad, threshold: number, now: number): GpuHistory | undefined {
  const since = (from: number): GpuHistory | undefined =>
    // Skips samples written while the clock was ahead.
    stored(from)
      ?.filter(({ time }) => time <= now)
      .reduce((history, point) => withPoint(history, point, threshold), emptyHistory)
  const history = since(now - minutesReadSeconds)
  const { chain } = history?.idle ?? {}
  const isWhole = chain && chain.since - (now - minutesReadSeconds) <= maxGapSeconds
  return isWhole ? (since(now - hoursReadSeconds) ?? history) : history
}
