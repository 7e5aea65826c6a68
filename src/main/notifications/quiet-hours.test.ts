import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { notificationKinds } from '#shared/bridge/app'
import { isQuiet, isUrgent } from './quiet-hours'

const at = (text: string): number => Date.parse(text) / 1000
const zone = process.env.TZ
const hours = (from: string, to: string) => {
  const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  return { isOn: true, from: minute(from), to: minute(to) }
}

it('automatic ends and SSH questions are urgent', () => {
  expect(notificationKinds.filter(isUrgent)).toEqual(['end-rule', 'question'])
})

describe('quiet hours', () => {
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin'
  })
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  it('are off until the user turns them on', () => {
    expect(isQuiet(undefined, 0)).toBe(false)
    expect(isQuiet({ ...hours('00:00', '23:59'), isOn: false }, 0)).toBe(false)
  })

  it.each([
    ['2026-06-10T12:59:59+02:00', false],
    ['2026-06-10T13:00:00+02:00', true],
    ['2026-06-10T14:29:59+02:00', true],
    ['2026-06-10T14:30:00+02:00', false],
  ])('within a day include their begin and exclude their end: %s', (moment, isWithin) => {
    expect(isQuiet(hours('13:00', '14:30'), at(moment))).toBe(isWithin)
  })

  it.each([
    ['2026-06-10T21:59:00+02:00', false],
    ['2026-06-10T22:00:00+02:00', true],
    ['2026-06-11T00:00:00+02:00', true],
    ['2026-06-11T07:59:00+02:00', true],
    ['2026-06-11T08:00:00+02:00', false],
  ])('over midnight belong to both days: %s', (moment, isWithin) => {
    expect(isQuiet(hours('22:00', '08:00'), at(moment))).toBe(isWithin)
  })

  it.each([
    // The clocks go from 2:00 to 3:00.
    ['2026-03-29T01:59:00+01:00', true],
    ['2026-03-29T03:00:00+02:00', true],
    ['2026-03-29T07:59:00+02:00', true],
    ['2026-03-29T08:00:00+02:00', false],
    // The clocks go back from 3:00 to 2:00.
    ['2026-10-25T02:30:00+02:00', true],
    ['2026-10-25T02:30:00+01:00', true],
    ['2026-10-25T07:59:00+01:00', true],
    ['2026-10-25T08:00:00+01:00', false],
  ])('follow the wall clock when the clocks change: %s', (moment, isWithin) => {
    expect(isQuiet(hours('22:00', '08:00'), at(moment))).toBe(isWithin)
  })

  it('that end inside the skipped hour end with it', () => {
    expect(isQuiet(hours('22:00', '02:30'), at('2026-03-29T01:59:00+01:00'))).toBe(true)
    expect(isQuiet(hours('22:00', '02:30'), at('2026-03-29T03:00:00+02:00'))).toBe(false)
  })

  it('with equal times last the whole day', () => {
    for (const moment of ['2026-06-10T00:00:00+02:00', '2026-06-10T12:00:00+02:00'])
      expect(isQuiet(hours('12:00', '12:00'), at(moment))).toBe(true)
  })
})
