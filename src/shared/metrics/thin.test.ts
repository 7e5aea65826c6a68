import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MetricSeries, TimeRange } from '../bridge/metrics'
import { thin } from './thin'

const series = (points: readonly (readonly [number, number])[]): MetricSeries => ({
  times: Float64Array.from(points, ([time]) => time),
  values: Float64Array.from(points, ([, value]) => value),
})
const minutes = (count: number, value: (at: number) => number): MetricSeries =>
  series(Array.from({ length: count }, (_, at) => [60 * at, value(at)] as const))

/** Returns the lowest and highest value of each pixel of the range. */
function pixels({ times, values }: MetricSeries, { from, to }: TimeRange, width: number) {
  const found = new Map<number, readonly [number, number]>()
  times.forEach((time, at) => {
    const value = values[at] ?? NaN
    if (time < from || time > to || Number.isNaN(value)) return
    const pixel = Math.min(width - 1, Math.floor((time - from) / ((to - from) / width)))
    const [low, high] = found.get(pixel) ?? [value, value]
    found.set(pixel, [Math.min(low, value), Math.max(high, value)])
  })
  return found
}

describe('a series thinned to pixels', () => {
  it('keeps a peak of a single minute in thirty days', () => {
    const { values } = thin(
      minutes(43_200, (at) => (at === 30_001 ? 99 : 5)),
      { from: 0, to: 43_200 * 60 },
      700,
    )
    expect(values.length).toBeLessThan(1_500)
    expect(Math.max(...values)).toBe(99)
  })

  it('stays unchanged if it has no more points than pixels', () => {
    const whole = minutes(60, (at) => at)
    expect(thin(whole, { from: 0, to: 3_600 }, 300)).toEqual(whole)
  })

  it('includes the points next to the range, so that lines leave the chart', () => {
    const { times } = thin(
      minutes(100, (at) => at),
      { from: 601, to: 1_199 },
      300,
    )
    expect([times[0], times.at(-1)]).toEqual([600, 1_200])
  })

  it('keeps visible gaps and closes shorter ones', () => {
    const holes = minutes(10_000, (at) => ((at >= 5_000 && at < 5_200) || at === 9_000 ? NaN : 1))
    const { times, values } = thin(holes, { from: 0, to: 600_000 }, 100)
    const gaps = Array.from(times).filter((_, at) => Number.isNaN(values[at]))
    expect(gaps).toHaveLength(1)
    expect(gaps[0]).toBeGreaterThanOrEqual(5_000 * 60)
    expect(gaps[0]).toBeLessThanOrEqual(5_200 * 60)
  })

  it('is empty without points', () => {
    expect(thin(series([]), { from: 0, to: 60 }, 100)).toEqual(series([]))
    expect(
      thin(
        minutes(5_000, () => NaN),
        { from: 0, to: 300_000 },
        100,
      ).values,
    ).toHaveLength(0)
  })

  it('has the same minima and maxima per pixel as the raw points, in the same order', () => {
    const point = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
      { weight: 1, arbitrary: fc.constant(NaN) },
    )
    const raw = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 500 }), point), { minLength: 1, maxLength: 2_000 })
      .map((steps) => {
        let time = 0
        return series(steps.map(([step, value]) => [(time += step), value] as const))
      })
    fc.assert(
      fc.property(
        raw,
        fc.nat(1_000),
        fc.nat(1_000),
        fc.integer({ min: 1, max: 80 }),
        (all, left, right, width) => {
          const end = all.times.at(-1) ?? 0
          const from = (Math.min(left, right) / 1_000) * end
          const range = { from, to: Math.max(from + 1, (Math.max(left, right) / 1_000) * end) }
          const thinned = thin(all, range, width)
          expect(pixels(thinned, range, width)).toEqual(pixels(all, range, width))
          expect(thinned.times.every((time, at) => at === 0 || time >= (thinned.times[at - 1] ?? 0))).toBe(
            true,
          )
          const known = new Map(Array.from(all.times, (time, at) => [time, all.values[at]]))
          thinned.times.forEach((time, at) => {
            const value = thinned.values[at]
            if (!Number.isNaN(value)) expect(value).toBe(known.get(time))
          })
          expect(thinned.times.length).toBeLessThanOrEqual(3 * (width + 2))
        },
      ),
    )
  })
})
