import { describe, expect, it } from 'vitest'
import { isSensible } from './periods'

describe('a period', () => {
  it('must hold a day, and no more than ten years', () => {
    expect(isSensible({ from: '2026-07-01', until: '2026-07-02' })).toBe(true)
    expect(isSensible({ from: '2026-07-01', until: '2026-07-01' })).toBe(false)
    expect(isSensible({ from: '2026-07-01', until: '2036-07-01' })).toBe(true)
    expect(isSensible({ from: '2026-07-01', until: '2037-01-01' })).toBe(false)
  })
})
