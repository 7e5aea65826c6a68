import { describe, expect, it } from 'vitest'
import { skippedText } from './skipped-text'

const skip = (count: number, reason: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `node-${String(index)}`, reason }))

describe('skippedText', () => {
  it('groups by reason, largest first, and names only small groups', () => {
    expect(skippedText([...skip(2, 'changing state'), ...skip(1_484, 'not running')])).toEqual([
      '1,484 skipped: not running',
      '2 skipped: changing state (node-0, node-1)',
    ])
    expect(skippedText([])).toEqual([])
  })
})
