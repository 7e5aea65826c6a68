import { describe, expect, it } from 'vitest'
import { sparklinePath } from './sparkline'

describe('a small line', () => {
  it('runs from left to right, high values on top', () => {
    expect(sparklinePath([0, 50, 100], 60, 16, 0, 100)).toBe('M0 16L30 8L60 0')
  })
  it('has gaps at unknown values', () => {
    expect(sparklinePath([0, 0, null, 100, 100], 40, 10, 0, 100)).toBe('M0 10L10 10M30 0L40 0')
    expect(sparklinePath([0, Number.NaN, 100, 100], 30, 10, 0, 100)).toBe('M0 10h0.1M20 0L30 0')
  })
  it('shows a single value as a dot', () => {
    expect(sparklinePath([50], 40, 10, 0, 100)).toBe('M0 5h0.1')
    expect(sparklinePath([], 40, 10, 0, 100)).toBe('')
  })
  it('stays inside its box', () => {
    expect(sparklinePath([-5, 250], 40, 10, 0, 100)).toBe('M0 10L40 0')
  })
})
