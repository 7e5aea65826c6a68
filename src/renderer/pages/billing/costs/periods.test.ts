import { describe, expect, it } from 'vitest'
import { daysOfPeriod, monthsBefore } from './periods'

describe('the period of costs', () => {
  it('can be any past month, by day', () => {
    expect(daysOfPeriod({ month: '2024-02-01' }, '2026-11-22')).toEqual({
      from: '2024-02-01',
      until: '2024-03-01',
      unit: 'day',
    })
    expect(monthsBefore('2026-02-22', 4)).toEqual(['2026-02-01', '2026-01-01', '2025-12-01', '2025-11-01'])
  })
})
