import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addDays, addMonths, bounds, calendarIn, firstOfMonth, systemCalendar } from './calendar'

const hours = (zone: string, date: string): number => {
  const calendar = calendarIn(zone)
  return (calendar.startOf(addDays(date, 1)) - calendar.startOf(date)) / 3600
}
const time = (text: string): number => Date.parse(text) / 1000

describe('a calendar', () => {
  it('begins days and months when the clocks of the person say so', () => {
    const berlin = calendarIn('Europe/Berlin')
    expect(berlin.startOf('2026-07-01')).toBe(time('2026-06-30T22:00:00Z'))
    expect(berlin.dateAt(time('2026-06-30T21:59:59Z'))).toBe('2026-06-30')
    expect(berlin.dateAt(time('2026-06-30T22:00:00Z'))).toBe('2026-07-01')
    expect(calendarIn('Asia/Kolkata').startOf('2026-07-01')).toBe(time('2026-06-30T18:30:00Z'))
    expect(calendarIn('America/Los_Angeles').startOf('2026-01-01')).toBe(time('2026-01-01T08:00:00Z'))
  })

  it('has days of 23 and of 25 hours, and of 24 and a half', () => {
    expect(hours('Europe/Berlin', '2026-03-29')).toBe(23)
    expect(hours('Europe/Berlin', '2026-10-25')).toBe(25)
    expect(hours('Europe/Berlin', '2026-10-26')).toBe(24)
    expect(hours('Australia/Lord_Howe', '2026-04-05')).toBe(24.5)
  })

  it('begins a day at one where the clocks skip midnight', () => {
    const brazil = calendarIn('America/Sao_Paulo')
    expect(brazil.startOf('2018-11-04')).toBe(time('2018-11-04T01:00:00-02:00'))
    expect(hours('America/Sao_Paulo', '2018-11-04')).toBe(23)
  })

  it('knows a day that some people never had', () => {
    expect(hours('Pacific/Apia', '2011-12-30')).toBe(0)
  })

  it('knows leap years', () => {
    const utc = calendarIn('UTC')
    expect(bounds(utc, '2028-02-01', '2028-03-01', 'day')).toHaveLength(30)
    expect(bounds(utc, '2026-02-01', '2026-03-01', 'day')).toHaveLength(29)
    expect(bounds(utc, '2100-02-01', '2100-03-01', 'day')).toHaveLength(29)
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addMonths('2028-01-31', 1)).toBe('2028-02-01')
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-01')
    expect(firstOfMonth('2028-02-29')).toBe('2028-02-01')
  })

  it('cuts a period into months, the first and the last of them perhaps incomplete', () => {
    const utc = calendarIn('UTC')
    expect(bounds(utc, '2026-01-15', '2026-03-10', 'month')).toEqual(
      ['2026-01-15', '2026-02-01', '2026-03-01', '2026-03-10'].map((date) => time(`${date}T00:00:00Z`)),
    )
  })

  it('finds the first moment of any day anywhere', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const days = fc.integer({ min: 0, max: 22_000 }).map((count) => addDays('1990-01-01', count))
    fc.assert(
      fc.property(zones, days, (zone, date) => {
        const calendar = calendarIn(zone)
        const start = calendar.startOf(date)
        expect(calendar.dateAt(start) >= date).toBe(true)
        expect(calendar.dateAt(start - 1) < date).toBe(true)
      }),
    )
  })

  it.each(['', 'No/Where', ':/etc/localtime'])('is there with the environment’s time zone “%s”', (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(systemCalendar().dateAt(0)).toBe('1970-01-01')
  })
})
