import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portion, shareOf } from './prorate'

describe('an amount for a stretch of time', () => {
  it('is shared out in proportion', () => {
    expect(portion(90, 1, 3)).toBe(30)
    expect(portion(100, 1, 3)).toBe(33)
    expect(portion(100, 1, 2)).toBe(50)
    expect(portion(-1, 1, 2)).toBe(-1)
    expect(shareOf(240, 0, 24, 6, 12)).toBe(60)
    expect(shareOf(240, 0, 24, -5, 0)).toBe(0)
    expect(shareOf(240, 0, 24, 24, 99)).toBe(0)
  })

  it('is exact also where it is huge', () => {
    expect(portion(9_007_199_254_740_991, 86_399, 86_400)).toBe(9_007_095_004_749_617)
  })

  it('belongs as a whole to where it begins, if it is for no time at all', () => {
    expect(shareOf(7, 10, 10, 5, 10)).toBe(0)
    expect(shareOf(7, 10, 10, 10, 15)).toBe(7)
    expect(shareOf(7, 10, 3, 10, 15)).toBe(7)
  })

  it('is never more or less than the sum of its shares', () => {
    const amount = fc.integer({ min: -2_000_000_000_000, max: 2_000_000_000_000 })
    const cuts = fc.array(fc.integer({ min: -10, max: 3_000_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 2_678_400 }), cuts, (millionths, length, at) => {
        const edges = [-10, ...at.toSorted((left, right) => left - right), 3_000_001]
        const shares = edges
          .slice(1)
          .map((end, index) => shareOf(millionths, 0, length, edges[index] ?? 0, end))
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(millionths)
      }),
    )
  })
})
