import type { TimeLine } from './time-line'

/** The index of the time nearest to `at`; -1 where there is none. `times` ascend. */
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

/** What a line says at `at`: its nearest point that is no further than `reach` seconds; null in a gap. */
export function valueAt(line: TimeLine, at: number, reach: number): number | null {
  const index = nearest(line.times, at)
  const time = line.times[index]
  const value = line.values[index]
  if (time === undefined || value === undefined || Math.abs(time - at) > reach || Number.isNaN(value))
    return null
  return value
}
