import type { GpuReading, Measured } from '#shared/bridge/gpu'
import { heldMemory, highestActivity, highestUtilization } from '#shared/gpu-load'

/** Load of one GPU in a period, as a row of the store (store/schema.ts). */
export interface GpuSample {
  readonly gpu: string
  readonly index: number
  /** Start of the period in epoch seconds. */
  readonly time: number
  /** Number of readings; in a stored hour, number of minutes. */
  readonly samples: number
  /** Number of minutes in a period of several minutes; absent for a single minute. */
  readonly minutes?: number
  readonly utilization: number | null
  /** Includes the driver's own samples between the readings. */
  readonly utilizationMax: number | null
  /** Highest share of any part of the GPU (shared/gpu-load.ts); null if it was not read in the period. */
  readonly activity: number | null
  /** Whether the activity follows from the power. */
  readonly isEstimated: boolean
  readonly memoryUsed: number | null
  readonly memoryTotal: number | null
  readonly temperatureMax: number | null
  readonly power: number | null
}

/**
 * Load of a machine's GPUs at a time in epoch seconds. `busiest`: highest utilization in percent. `average`: highest mean
 * utilization of one GPU. `held`: MiB in use on GPUs that
 * programs hold. `activity`: percent of the busiest part of any GPU; `isEstimated`: one of them is
 * estimated from the power. Null: unknown for one GPU.
 */
export interface GpuLoad {
  readonly time: number
  readonly busiest: number | null
  readonly average: number | null
  readonly held: number | null
  readonly activity: number | null
  readonly isEstimated: boolean
}

export const minute = 60
export const hour = 3_600

const known = (value: Measured): number | null => (typeof value === 'number' ? value : null)
const higher = (first: number | null, second: number | null): number | null =>
  first === null ? second : second === null ? first : Math.max(first, second)

/** Returns the weighted average. A value that only one side has is returned unchanged. */
const average = (first: number | null, weight: number, second: number | null, secondWeight: number) =>
  first === null
    ? second
    : second === null
      ? first
      : (first * weight + second * secondWeight) / (weight + secondWeight)

/** Converts a reading to a sample of the `period` (seconds) that contains it. */
export const sampleOf = (gpu: GpuReading, at: number, period: number): GpuSample => {
  return {
    gpu: gpu.id,
    index: gpu.index,
    time: Math.floor(at / period) * period,
    samples: 1,
    utilization: gpu.samples?.average ?? known(gpu.utilization),
    utilizationMax: highestUtilization(gpu),
    activity: highestActivity(gpu),
    isEstimated: gpu.activity?.kind === 'estimated',
    memoryUsed: known(gpu.memoryUsed),
    memoryTotal: known(gpu.memoryTotal),
    temperatureMax: known(gpu.temperature),
    power: known(gpu.power),
  }
}

/**
 * Joins two samples of one GPU and keeps the time of the first. Within a minute each reading has the same weight; in
 * longer periods each minute does, since a GPU is read more often while the user looks at it.
 */
export const joined = (first: GpuSample, second: GpuSample): GpuSample => {
  const [weight, secondWeight] = [first.minutes ?? first.samples, second.minutes ?? second.samples]
  const mean = (key: 'utilization' | 'memoryUsed' | 'power') =>
    average(first[key], weight, second[key], secondWeight)
  return {
    gpu: first.gpu,
    index: second.index,
    time: first.time,
    samples: first.samples + second.samples,
    ...(first.minutes && second.minutes && { minutes: first.minutes + second.minutes }),
    utilization: mean('utilization'),
    utilizationMax: higher(first.utilizationMax, second.utilizationMax),
    activity: higher(first.activity, second.activity),
    isEstimated: first.isEstimated || second.isEstimated,
    memoryUsed: mean('memoryUsed'),
    memoryTotal: second.memoryTotal ?? first.memoryTotal,
    temperatureMax: higher(first.temperatureMax, second.temperatureMax),
    power: mean('power'),
  }
}

/** Joins samples into periods of `period` seconds, oldest first. Pure. */
export function coarser(samples: readonly GpuSample[], period: number): readonly GpuSample[] {
  const stretches = new Map<string, GpuSample>()
  for (const sample of samples) {
    const time = Math.floor(sample.time / period) * period
    const key = `${time}/${sample.gpu}`
    const part = period > minute ? { ...sample, time, minutes: sample.minutes ?? 1 } : { ...sample, time }
    const earlier = stretches.get(key)
    stretches.set(key, earlier ? joined(earlier, part) : part)
  }
  return [...stretches.values()].sort((a, b) => a.time - b.time || a.index - b.index)
}

/** Returns the highest value; null if one is unknown. */
const highest = (values: readonly (number | null)[]): number | null => {
  const found = values.filter((value) => value !== null)
  return found.length === values.length && found.length > 0 ? Math.max(...found) : null
}

/**
 * Returns the load of a machine in samples of all its GPUs at one time. One GPU at work (`threshold` percent) counts even if
 * the utilization of another is unknown. `sample-table.ts` has the same rule for stored samples. Pure.
 */
export function loadOf(gpus: readonly GpuSample[], threshold: number): Omit<GpuLoad, 'time'> {
  const utilizations = gpus.map(({ utilizationMax }) => utilizationMax)
  const atWork = utilizations.filter((value) => value !== null && value >= threshold)
  const held = gpus.map(({ memoryUsed }) => heldMemory({ memoryUsed: memoryUsed ?? 'not-available' }))
  return {
    busiest: highest(atWork.length > 0 ? atWork : utilizations),
    average: highest(gpus.map(({ utilization }) => utilization)),
    held: held.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    activity: highest(gpus.map(({ activity }) => activity)),
    isEstimated: gpus.some(({ isEstimated }) => isEstimated),
  }
}
