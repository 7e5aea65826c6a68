import type { TimeLine, TimeRange } from './time-line'

/** Returns the lowest, mean and highest value of a line in a range; null if it has none there. */
export function summaryOf({ times, values }: TimeLine, { from, to }: TimeRange) {
  let low = Infinity
  let high = -Infinity
  let sum = 0
  let count = 0
  for (let at = 0; at < values.length; at += 1) {
    const time = times[at] ?? 0
    const value = values[at] ?? Number.NaN
    if (time < from || time > to || Number.isNaN(value)) continue
    if (value < low) low = value
    if (value > high) high = value
    sum += value
    count += 1
  }
  return count === 0 ? null : { low, mean: sum / count, high }
}
