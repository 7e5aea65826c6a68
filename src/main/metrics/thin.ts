import type { MetricSeries, TimeRange } from '#shared/bridge/metrics'

/** The index of the first time at or after `at`. `times` ascend. */
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
 * The points of a series in `range`, thinned to what `width` pixels can show: of every pixel's points the lowest and
 * the highest, in their order in time. A gap that is at least a pixel wide stays one; a shorter one cannot be seen.
 * The points next to the range on both sides are kept, so that lines run out of the picture. Where there are no more
 * points than that, all are given. Pure; the arrays are new ones.
 */
export function thin({ times, values }: MetricSeries, { from, to }: TimeRange, width: number): MetricSeries {
  const begin = Math.max(0, firstAt(times, from) - 1)
  const end = Math.min(times.length, firstAt(times, to) + 1)
  if (end - begin <= 2 * width + 2)
    return { times: times.slice(begin, end), values: values.slice(begin, end) }

  const pixel = (to - from) / width
  // Two per pixel, a gap before each, and the same for the points beside the range.
  const room = 3 * (width + 2)
  const outTimes = new Float64Array(room)
  const outValues = new Float64Array(room)
  let count = 0
  let lastTime = -Infinity
  let gap = false
  let bucket = -2
  let low = -1
  let high = -1
  let gapBefore = false

  const put = (at: number): void => {
    outTimes[count] = times[at] ?? 0
    outValues[count] = values[at] ?? 0
    count += 1
  }
  const flush = (): void => {
    if (low < 0) return
    const first = Math.min(low, high)
    if (gapBefore && count > 0) {
      outTimes[count] = ((outTimes[count - 1] ?? 0) + (times[first] ?? 0)) / 2
      outValues[count] = Number.NaN
      count += 1
    }
    put(first)
    if (low !== high) put(Math.max(low, high))
    low = high = -1
  }
  for (let at = begin; at < end; at += 1) {
    const value = values[at] ?? Number.NaN
    if (Number.isNaN(value)) {
      gap = true
      continue
    }
    const time = times[at] ?? 0
    const column =
      time < from ? -1 : time > to ? width : Math.min(width - 1, Math.floor((time - from) / pixel))
    if (column !== bucket) {
      flush()
      bucket = column
      gapBefore = gap && time - lastTime >= pixel
      low = high = at
    } else {
      if (value < (values[low] ?? 0)) low = at
      if (value > (values[high] ?? 0)) high = at
    }
    gap = false
    lastTime = time
  }
  flush()
  return { times: outTimes.slice(0, count), values: outValues.slice(0, count) }
}
