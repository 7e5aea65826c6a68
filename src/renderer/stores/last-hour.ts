import type { GpuSeries } from '#shared/bridge/gpu'

const points = 30
const hourSeconds = 3_600
/** Maximum age of a value that counts as current. */
const maxAgeSeconds = 600

/** Returns the mean utilization of all GPUs over the hour before `now` (epoch seconds), and the newest value. */
export function gpuHour(
  gpus: readonly Pick<GpuSeries, 'time' | 'utilization'>[],
  now: number,
): { readonly values: Float64Array; readonly last: number | null } {
  const sums = new Float64Array(points)
  const counts = new Float64Array(points)
  let last: number | null = null
  let newest = now - maxAgeSeconds
  for (const { time, utilization } of gpus) {
    time.forEach((at, index) => {
      const value = utilization[index] ?? Number.NaN
      const age = now - at
      if (Number.isNaN(value) || age < 0 || age >= hourSeconds) return
      const place = points - 1 - Math.floor((age / hourSeconds) * points)
      sums[place] = (sums[place] ?? 0) + value
      counts[place] = (counts[place] ?? 0) + 1
      if (at > newest) newest = at
    })
  }
  const latest = gpus.flatMap(({ time, utilization }) =>
    Array.from(utilization).filter((value, at) => time[at] === newest && !Number.isNaN(value)),
  )
  if (latest.length > 0) last = latest.reduce((sum, value) => sum + value, 0) / latest.length
  return { values: sums.map((sum, at) => sum / (counts[at] ?? 0)), last }
}
