import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainOf, idleSince, type LoadPoint, maxGapSeconds } from './idle-chain'

const start = 1_795_269_600
/** Creates one point per minute. */
const minutes = (...busiest: readonly (number | null)[]): LoadPoint[] =>
  busiest.map((value, at) => ({ time: start + at * 60, busiest: value }))
const rest = (count: number): number[] => Array.from({ length: count }, () => 0)
const since = (points: readonly LoadPoint[], now: number, threshold = 5, limit = 60) =>
  idleSince(chainOf(points, threshold), { minutes: limit, now })

describe('a machine', () => {
  it('is idle once its GPUs have done nothing for the configured time', () => {
    const points = minutes(90, ...rest(60))
    expect(since(points.slice(0, 60), start + 60 * 60)).toBeUndefined()
    expect(since(points, start + 61 * 60)).toBe(start + 60)
  })

  it('is busy if one point reaches the threshold', () => {
    expect(since(minutes(...rest(100), 5), start + 100 * 60)).toBeUndefined()
    expect(since(minutes(...rest(100), 4.9), start + 100 * 60)).toBe(start)
    expect(since(minutes(...rest(50), 80, ...rest(50)), start + 100 * 60)).toBeUndefined()
  })

  it('is not idle if its load is unknown', () => {
    expect(since(minutes(...rest(90), null), start + 90 * 60)).toBeUndefined()
    expect(since([], start)).toBeUndefined()
  })

  it('is not idle across a gap without readings', () => {
    const early = minutes(...rest(120))
    const late = minutes(...rest(30)).map(({ time, busiest }) => ({ time: time + 8 * 3_600, busiest }))
    expect(since([...early, ...late], start + 8 * 3_600 + 29 * 60)).toBeUndefined()
    expect(since(early, start + 119 * 60 + maxGapSeconds + 1)).toBeUndefined()
    expect(since(early, start + 119 * 60 + maxGapSeconds)).toBe(start)
  })

  it('is idle by the current threshold and time', () => {
    const points = minutes(...Array.from({ length: 31 }, () => 8))
    expect(since(points, start + 1_800, 5, 30)).toBeUndefined()
    expect(since(points, start + 1_800, 10, 30)).toBe(start)
    expect(since(points, start + 1_800, 10, 31)).toBeUndefined()
  })

  it('is idle neither longer than it was observed nor since a time when it worked', () => {
    const point = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(fc.array(point, { maxLength: 200 }), (values) => {
        const points = minutes(...values)
        const now = start + values.length * 60
        const found = since(points, now, 5, 10)
        if (found === undefined) return
        expect(now - found).toBeGreaterThanOrEqual(600)
        for (const { time, busiest } of points) if (time >= found) expect(busiest ?? 100).toBeLessThan(5)
      }),
    )
  })
})
