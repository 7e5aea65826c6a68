import type { GpuReading, Measured } from '#shared/bridge/gpu'

/** What one GPU did in a stretch of time, as a row of the store (003-gpu-sample.ts). */
export interface GpuSample {
  readonly gpu: string
  readonly index: number
  /** Epoch seconds at which the stretch begins. */
  readonly time: number
  /** Readings that it was made of; in a stored hour, minutes. */
  readonly samples: number
  /** Minutes that an hour, or another stretch of several, was made of; absent in a minute. */
  readonly minutes?: number
  readonly utilization: number | null
  readonly utilizationMax: number | null
  readonly memoryUsed: number | null
  readonly memoryTotal: number | null
  readonly temperatureMax: number | null
  readonly power: number | null
}

export const minute = 60
export const hour = 3_600

const known = (value: Measured): number | null => (typeof value === 'number' ? value : null)
const higher = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other)

/** The average of two stretches, each with its weight; a value that only one of them has counts whole. */
const average = (one: number | null, weight: number, other: number | null, otherWeight: number) =>
  one === null ? other : other === null ? one : (one * weight + other * otherWeight) / (weight + otherWeight)

/** A reading as the stretch of `period` seconds that it falls into. */
export const sampleOf = (gpu: GpuReading, at: number, period: number): GpuSample => {
  const utilization = known(gpu.utilization)
  return {
    gpu: gpu.id,
    index: gpu.index,
    time: Math.floor(at / period) * period,
    samples: 1,
    utilization,
    utilizationMax: utilization,
    memoryUsed: known(gpu.memoryUsed),
    memoryTotal: known(gpu.memoryTotal),
    temperatureMax: known(gpu.temperature),
    power: known(gpu.power),
  }
}

/**
 * Two samples of one GPU as one. `time` is that of the first. Within a minute each reading weighs the same; beyond it
 * each minute does, however often the GPU was read in it: that is more often while somebody looks.
 */
export const joined = (one: GpuSample, other: GpuSample): GpuSample => {
  const [weight, otherWeight] = [one.minutes ?? one.samples, other.minutes ?? other.samples]
  const mean = (key: 'utilization' | 'memoryUsed' | 'power') =>
    average(one[key], weight, other[key], otherWeight)
  return {
    gpu: one.gpu,
    index: other.index,
    time: one.time,
    samples: one.samples + other.samples,
    ...(one.minutes && other.minutes && { minutes: one.minutes + other.minutes }),
    utilization: mean('utilization'),
    utilizationMax: higher(one.utilizationMax, other.utilizationMax),
    memoryUsed: mean('memoryUsed'),
    memoryTotal: other.memoryTotal ?? one.memoryTotal,
    temperatureMax: higher(one.temperatureMax, other.temperatureMax),
    power: mean('power'),
  }
}

/** Samples in coarser stretches of `period` seconds, oldest first. Pure. */
export function coarser(samples: readonly GpuSample[], period: number): readonly GpuSample[] {
  const stretches = new Map<string, GpuSample>()
  for (const sample of samples) {
    const time = Math.floor(sample.time / period) * period
    const key = `${time}/${sample.gpu}`
    const part = period > minute ? { ...sample, time, minutes: sample.minutes ?? 1 } : { ...sample, time }
    const sofar = stretches.get(key)
    stretches.set(key, sofar ? joined(sofar, part) : part)
  }
  return [...stretches.values()].sort((one, other) => one.time - other.time || one.index - other.index)
}
