import type { TimeRange } from './time-line'

/** Returns the range scaled by `factor` around `middle`. */
export const zoomedAround = ({ from, to }: TimeRange, middle: number, factor: number): TimeRange => ({
  from: middle - (middle - from) * factor,
  to: middle + (to - middle) * factor,
})

export const panned = ({ from, to }: TimeRange, seconds: number): TimeRange => ({
  from: from + seconds,
  to: to + seconds,
})

/** Moves the range into `whole`; it gets at least `minSeconds` and at most the length of `whole`. */
export function keptWithin(range: TimeRange, whole: TimeRange, minSeconds: number): TimeRange {
  const length = Math.min(whole.to - whole.from, Math.max(minSeconds, range.to - range.from))
  const middle = (range.from + range.to) / 2
  const from = Math.min(whole.to - length, Math.max(whole.from, middle - length / 2))
  return { from, to: from + length }
}
