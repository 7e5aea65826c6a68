import { describe, expect, it } from 'vitest'
import { nextTimeOfDay } from './next-time-of-day'

const at = (...moment: [number, number, number, number, number, number?]): number =>
  new Date(...moment).getTime() / 1000
const afternoon = at(2026, 2, 14, 16, 30, 12)

describe('the next time of day', () => {
  it('is today at a later time and tomorrow at an earlier one', () => {
    expect(nextTimeOfDay('18:00', afternoon)).toBe(at(2026, 2, 14, 18, 0))
    expect(nextTimeOfDay('16:30', afternoon)).toBe(at(2026, 2, 15, 16, 30))
    expect(nextTimeOfDay(' 9:05 ', afternoon)).toBe(at(2026, 2, 15, 9, 5))
  })

  it('is tomorrow at the same local time even if the clock changes', () => {
    for (let day = 1; day <= 365; day += 1) {
      const now = at(2026, 0, day, 18, 0)
      expect(nextTimeOfDay('18:00', now)).toBe(at(2026, 0, day + 1, 18, 0))
    }
  })

  it.each([
    ['6:00 PM', 18, 0],
    ['6:00\u202fPM', 18, 0],
    ['6 pm', 18, 0],
    ['12:15 p.m.', 12, 15],
    ['23.30', 23, 30],
  ])('reads %j', (text, hours, minutes) => {
    expect(nextTimeOfDay(text, at(2026, 2, 14, 10, 0))).toBe(at(2026, 2, 14, hours, minutes))
  })

  it.each(['0 am', '13:00 pm', '', 'noon', '24:00', '18:60', '18', '18:5', '18:00:00'])(
    'is null for %j',
    (text) => {
      expect(nextTimeOfDay(text, afternoon)).toBeNull()
    },
  )
})
