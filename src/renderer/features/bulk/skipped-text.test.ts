import { describe, expect, it } from 'vitest'
import { skippedText } from './skipped-text'

const skip = (count: number, reason: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `node-${String(index)}`, reason }))

describe('what is skipped of many', () => {
  it('is grouped by its reason, the largest group first, and named only where there are few', () => {
    expect(skippedText([...skip(2, 'changing state'), ...skip(1_484, 'not running')])).toEqual([
      '1,484 skipped: not running',
      '2 skipped: changing state (node-0, node-1)',
    ])
    expect(skippedText([])).toEqual([])
  })
})
