import type { MetricSeries, TimeRange } from '../bridge/metrics'

/** Returns the index of the first time at or after `at`. `times` ascend. */
export function firstAt(times: Float64Array, at: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the indexes at which the points of each part begin: before the range, each pixel, after the range, and the
 * end. One point on each side of the range is included, so that lines leave the chart.
 */
function pixelStarts(times: Float64Array, { from, to }: TimeRange, width: number): Int32Array {
  const starts = new Int32Array(width + 3)
  const pixel = (to - from) / width
  const inside = firstAt(times, from)
  let at = inside
  starts[0] = Math.max(0, inside - 1)
  for (let column = 0; column < width; column += 1) {
    starts[column + 1] = at
    const edge = column === width - 1 ? to : from + (column + 1) * pixel
    while (at < times.length && ((times[at] ?? 0) < edge || (column === width - 1 && times[at] === to)))
      at += 1
  }
  starts[width + 1] = at
  starts[width + 2] = Math.min(times.length, at + 1)
  return starts
}

/**
 * Writes the lowest and highest point of each part in order of time, and a NaN for each gap of at least `pixel`
 * seconds, into `into`, which has three places per part.
 */
function extremes(
  { times, values }: MetricSeries,
  starts: Int32Array,
  pixel: number,
  into: MetricSeries,
): MetricSeries {
  const { times: outTimes, values: outValues } = into
  let count = 0
  let last = -1
  for (let part = 0; part + 1 < starts.length; part += 1) {
    const end = starts[part + 1] ?? 0
    let first = starts[part] ?? 0
    while (first < end && Number.isNaN(values[first])) first += 1
    if (first >= end) continue
    // Values are missing in between; a gap of at least a pixel is visible.
    if (count > 0 && first > last + 1) {
      const before = times[last] ?? 0
      const time = times[first] ?? 0
      if (time - before >= pixel) {
        outTimes[count] = (before + time) / 2
        outValues[count] = Number.NaN
        count += 1
      }
    }
    let low = first
    let high = first
    let lowest = values[first] ?? 0
    let highest = lowest
    for (let at = first + 1; at < end; at += 1) {
      const value = values[at] ?? 0
      if (value < lowest) {
        lowest = value
        low = at
      } else if (value > highest) {
        highest = value
        high = at
      }
    }
    last = end - 1
    while (Number.isNaN(values[last])) last -= 1
    const earlier = Math.min(low, high)
    const later = Math.max(low, high)
    outTimes[count] = times[earlier] ?? 0
    outValues[count] = values[earlier] ?? 0
    count += 1
    if (earlier === later) continue
    outTimes[count] = times[later] ?? 0
    outValues[count] = values[later] ?? 0
    count += 1
  }
  return { times: outTimes.slice(0, count), values: outValues.slice(0, count) }
}

/**
 * Thins series to the lowest and highest point of each of `width` pixels of `range`, in order of time. Gaps of at
 * least a pixel stay. The neighbouring points outside the range stay, so that lines leave the chart. Shorter series
 * are returned unthinned. Pure; the arrays are new.
 */
export function thinner(range: TimeRange, width: number): (series: MetricSeries) => MetricSeries {
  const known = new Map<Float64Array, Int32Array>()
  let into: MetricSeries | undefined
  return (series) => {
    const { times, values } = series
    const begin = Math.max(0, firstAt(times, range.from) - 1)
    const end = Math.min(times.length, firstAt(times, range.to) + 1)
    if (end - begin <= 2 * width + 2)
      return { times: times.slice(begin, end), values: values.slice(begin, end) }
    // Series of one answer share their times.
    const starts = known.get(times) ?? pixelStarts(times, range, width)
    known.set(times, starts)
    into ??= { times: new Float64Array(3 * starts.length), values: new Float64Array(3 * starts.length) }
    return extremes(series, starts, (range.to - range.from) / width, into)
  }
}

export const thin = (series: MetricSeries, range: TimeRange, width: number): MetricSeries =>
  thinner(range, width)(series)
