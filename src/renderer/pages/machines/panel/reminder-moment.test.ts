import { describe, expect, it } from 'vitest'
import { afterHours, otherDay } from './reminder-moment'

const at = (...moment: [number, number, number, number, number, number?]): number =>
  new Date(...moment).getTime() / 1000
const afternoon = at(2026, 2, 14, 16, 30, 12)

describe('the moment of a reminder', () => {
  it('names its day unless that is today', () => {
    expect(otherDay(at(2026, 2, 14, 18, 0), afternoon)).toBeUndefined()
    expect(otherDay(at(2026, 2, 15, 9, 5), afternoon)).toMatch(/^Sun, Mar 15, 9:05\sAM$/)
  })

  it('is a number of hours from now', () => {
    expect(afterHours('8', 1000)).toBe(1000 + 8 * 3600)
    expect(afterHours('0.5', 1000)).toBe(2800)
    expect(afterHours('0,5', 1000)).toBe(2800)
  })

  it.each(['', '0', '-1', 'x', '8785', '0.05', 'Infinity'])('is null after %j hours', (text) => {
    expect(afterHours(text, 1000)).toBeNull()
  })
})
