import { expect, it } from 'vitest'
import { readDuration, readPositive, readTime } from './values'

it.each([
  ['30m', 1_800],
  ['2h', 7_200],
  ['1h30m', 5_400],
  ['1.5d', 129_600],
  ['45s', 45],
])('the duration %s is %i seconds', (text, seconds) => {
  expect(readDuration(text)).toBe(seconds)
})

it.each(['', '5', 'h', '2 hours', '-1h', '1h 30m', '1h30'])('%j is no duration', (text) => {
  expect(readDuration(text)).toBeNull()
})

it('a time is the next one of the clock, or a date with its time zone', () => {
  const now = new Date(2026, 2, 14, 16, 30).getTime() / 1000
  expect(readTime('18:00', now)).toBe(new Date(2026, 2, 14, 18).getTime() / 1000)
  expect(readTime('2026-12-01T06:00:00Z', now)).toBe(Date.UTC(2026, 11, 1, 6) / 1000)
  expect(readTime('2026-13-01T06:00', now)).toBeNull()
  expect(readTime('tomorrow', now)).toBeNull()
})

it('an amount is positive, with a decimal point', () => {
  expect(readPositive('2.50', 'EUR')).toEqual({ currency: 'EUR', millionths: 2_500_000 })
  for (const text of ['0', '-1', '1,5', '1e3', '', '99999999999999'])
    expect(readPositive(text, 'EUR')).toBeNull()
})
