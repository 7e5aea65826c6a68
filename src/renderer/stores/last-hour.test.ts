import { describe, expect, it } from 'vitest'
import { gpuHour } from './last-hour'

const now = 1_000_000
const gpu = (...points: readonly (readonly [ago: number, value: number])[]) => ({
  time: Float64Array.from(points, ([ago]) => now - ago),
  utilization: Float64Array.from(points, ([, value]) => value),
})

describe('gpuHour', () => {
  it('returns the mean of all GPUs', () => {
    const { values, last } = gpuHour([gpu([3_599, 10], [60, 40]), gpu([3_599, 30], [60, 60])], now)
    expect([values[0], values[29]]).toEqual([20, 50])
    expect(Array.from(values).filter(Number.isNaN)).toHaveLength(28)
    expect(last).toBe(50)
  })
  it('returns no last value if the newest is old or missing', () => {
    expect(gpuHour([gpu([700, 10], [30, Number.NaN])], now).last).toBeNull()
    expect(gpuHour([], now).last).toBeNull()
  })
})
