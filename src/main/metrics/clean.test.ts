import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MetricGroup, metricKeys } from '#shared/bridge/metrics'
import { MetricsAnswer } from '#shared/service/metrics'
import { clean } from './clean'

const read = (answer: unknown) => clean(MetricsAnswer.parse(answer))
const cpu = (data: readonly unknown[]) => {
  const { series, unusable, step } = read({ cpu: { unit: '%', data } })
  const { times, values } = series.cpu
  return { points: Array.from(times, (time, at) => [time, values[at]]), unusable, step }
}
const minute = (at: number, value: unknown = at) => ({ time: 60 * at, value })

describe('measurements as the service sends them', () => {
  it('stay unchanged if they are valid, in the unit of the answer', () => {
    const recorded = read({
      cpu: { unit: '%', data: [minute(1, 10), minute(2, 12.5)] },
      memory: { unit: 'GiB', data: [minute(1, 3)] },
      disk: { unit: 'GB', data: [{ time: 60, read: 1, write: 2 }] },
      network: { unit: null, data: [{ time: 60, in: 3, out: 4 }] },
    })
    expect(recorded.units).toEqual({ cpu: '%', memory: 'GiB', disk: 'GB', network: null })
    expect(recorded.series.cpu).toEqual({
      times: Float64Array.of(60, 120),
      values: Float64Array.of(10, 12.5),
    })
    expect(metricKeys.map((key) => recorded.series[key].values.at(-1))).toEqual([12.5, 3, 1, 2, 3, 4])
    expect(recorded).toMatchObject({ unusable: 0, step: 60 })
  })

  it('are shown although another group is an empty list', () => {
    const { series } = read({ cpu: { unit: '%', data: [minute(1, 10)] }, disk: [], network: [] })
    expect([series.cpu.values, series.diskRead.values]).toEqual([Float64Array.of(10), Float64Array.of()])
  })

  it.each([
    ['no groups', {}],
    ['groups without data', { cpu: { unit: '%', data: [] }, disk: { unit: 'GB', data: null }, memory: null }],
    ['an empty list', []],
    ['nothing', null],
  ])('may be %s', (_what, answer) => {
    const { series, step, unusable } = read(answer)
    expect(metricKeys.map((key) => series[key].times.length)).toEqual([0, 0, 0, 0, 0, 0])
    expect({ step, unusable }).toEqual({ step: null, unusable: 0 })
  })

  it('may be a single point', () => {
    expect(cpu([minute(7, 3)])).toEqual({ points: [[420, 3]], unusable: 0, step: null })
  })

  it('are sorted, and known values of the later of two equal times count', () => {
    const { points } = cpu([minute(3), minute(1), minute(2, 50), minute(2), minute(3, null)])
    expect(points).toEqual([
      [60, 1],
      [120, 2],
      [180, 3],
    ])
  })

  it('are gaps if a value is null, absent or invalid; invalid ones are counted', () => {
    const { points, unusable } = cpu([
      minute(1, null),
      { time: 120 },
      minute(3, -1),
      minute(4, 'n/a'),
      minute(5, '7.5'),
      minute(6, Number.NaN),
      minute(7, Number.POSITIVE_INFINITY),
      minute(8, 8),
    ])
    expect(points.map(([, value]) => value)).toEqual([NaN, NaN, NaN, NaN, 7.5, NaN, NaN, 8])
    expect(unusable).toBe(4)
  })

  it('without a time are skipped and counted', () => {
    const { points, unusable } = cpu([
      minute(1),
      { value: 3 },
      { time: 'soon', value: 3 },
      null,
      'x',
      4,
      minute(2),
    ])
    expect(points).toEqual([
      [60, 1],
      [120, 2],
    ])
    expect(unusable).toBe(5)
  })

  it('have a gap if minutes are missing', () => {
    expect(cpu([1, 2, 3, 10, 11].map((at) => minute(at))).points).toEqual([
      [60, 1],
      [120, 2],
      [180, 3],
      [240, NaN],
      [600, 10],
      [660, 11],
    ])
    // A late point is not a gap.
    expect(cpu([1, 2, 4, 5].map((at) => minute(at))).points).toHaveLength(4)
  })

  it('are always sorted and not negative', () => {
    const entry = fc.oneof(
      fc.anything(),
      fc.record({
        time: fc.oneof(fc.nat(1_000), fc.anything()),
        value: fc.oneof(fc.double(), fc.anything()),
      }),
    )
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (one, other) => {
        const groups: Record<MetricGroup, unknown> = {
          cpu: { data: one },
          memory: { data: other },
          disk: { data: one },
          network: { data: other },
        }
        const { series } = read(groups)
        for (const key of metricKeys) {
          const { times, values } = series[key]
          expect(times.length).toBe(values.length)
          expect(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))).toBe(true)
          expect(values.every((value) => Number.isNaN(value) || (value >= 0 && Number.isFinite(value)))).toBe(
            true,
          )
        }
      }),
    )
  })
})
