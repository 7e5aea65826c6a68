import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { niceTicks, tickValues } from './ticks'

describe('the ticks of an axis', () => {
  it.each([
    [0, 100, [0, 50, 100]],
    [0, 73, [0, 20, 40, 60, 80]],
    [0, 0.3, [0, 0.1, 0.2, 0.3]],
    [0, 0, [0, 0.5, 1]],
    [-30, 50, [-40, -20, 0, 20, 40, 60]],
  ])('from %d to %d are round', (low, high, expected) => {
    expect(tickValues(niceTicks(low, high))).toEqual(expected)
  })

  it('have whole steps for whole values', () => {
    expect(tickValues(niceTicks(0, 2, 4, true))).toEqual([0, 1, 2])
  })

  it('contain both ends in a few steps', () => {
    const value = fc.integer({ min: -1e6, max: 1e6 }).map((one) => one / 1000)
    fc.assert(
      fc.property(value, value, (one, other) => {
        const { min, max, step } = niceTicks(Math.min(one, other), Math.max(one, other))
        const slack = step * 1e-6
        expect(min - slack).toBeLessThanOrEqual(Math.min(one, other))
        expect(max + slack).toBeGreaterThanOrEqual(Math.max(one, other))
        expect((max - min) / step).toBeLessThan(8)
      }),
    )
  })
})
