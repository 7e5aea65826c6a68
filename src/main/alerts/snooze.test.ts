import { afterEach, describe, expect, it } from 'vitest'
import { snoozeEnd } from './snooze'

const at = (text: string): number => Date.parse(text) / 1000
const zone = process.env.TZ

describe('a snooze', () => {
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  it('lasts an hour or a week', () => {
    expect(snoozeEnd('hour', 1_000)).toBe(4_600)
    expect(snoozeEnd('week', 1_000)).toBe(605_800)
  })

  it('until tomorrow ends at nine in the morning local time, also when the clocks change', () => {
    process.env.TZ = 'Europe/Berlin'
    expect(snoozeEnd('tomorrow', at('2026-11-21T23:59:00+01:00'))).toBe(at('2026-11-22T09:00:00+01:00'))
    expect(snoozeEnd('tomorrow', at('2026-03-28T12:00:00+01:00'))).toBe(at('2026-03-29T09:00:00+02:00'))
    expect(snoozeEnd('tomorrow', at('2026-10-24T12:00:00+02:00'))).toBe(at('2026-10-25T09:00:00+01:00'))
    expect(snoozeEnd('tomorrow', at('2026-12-31T00:00:00+01:00'))).toBe(at('2027-01-01T09:00:00+01:00'))
  })
})
