import type { TimeLine } from './time-line'

/** Returns the index of the time nearest to `at`, or -1 if there is none. `times` ascend. */
function nearest(times: Float64Array, at: number): number {
  let low = 0
  let high = times.length - 1
  if (high < 0) return -1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  const before = low - 1
  return before >= 0 && at - (times[before] ?? 0) < (times[low] ?? 0) - at ? before : low
}

/** Returns the value nearest to `at`, at most `maxDistance` seconds away; null in a gap. */
export function valueAt(line: TimeLine, at: number, maxDistance: number): number | null {
  const index = nearest(line.times, at)
  const time = line.times[index]
  const value = line.values[index]
  if (time === undefined || value === undefined || Number.isNaN(value)) return null
  return Math.abs(time - at) > maxDistance ? null : value
}
