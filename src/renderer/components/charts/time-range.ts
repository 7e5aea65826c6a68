import type { TimeRange } from './time-line'

/** The range `factor` times as long, with `middle` where it was. */
export const zoomedAround = ({ from, to }: TimeRange, middle: number, factor: number): TimeRange => ({
  from: middle - (middle - from) * factor,
  to: middle + (to - middle) * factor,
})

/** The range so many seconds later. */
export const panned = ({ from, to }: TimeRange, seconds: number): TimeRange => ({
  from: from + seconds,
  to: to + seconds,
})

/** The range moved into `whole`, at least `least` seconds long, and no longer than `whole`. */
export function keptWithin(range: TimeRange, whole: TimeRange, least: number): TimeRange {
  const length = Math.min(whole.to - whole.from, Math.max(least, range.to - range.from))
  const middle = (range.from + range.to) / 2
  const from = Math.min(whole.to - length, Math.max(whole.from, middle - length / 2))
  return { from, to: from + length }
}
