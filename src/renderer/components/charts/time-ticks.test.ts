import { afterEach, describe, expect, it, vi } from 'vitest'
import { timeTicks } from './time-ticks'

const at = (text: string): number => new Date(text).getTime() / 1000
const clock = (ticks: readonly { readonly at: number }[]) =>
  ticks.map((tick) => {
    const date = new Date(tick.at * 1000)
    return `${String(date.getDate())} ${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
  })

describe('times on an axis', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('are round times in this computer’s time zone', () => {
    const from = at('2026-11-21T13:07:00')
    expect(clock(timeTicks(from, from + 3_600, 6))).toEqual([
      '21 13:10',
      '21 13:20',
      '21 13:30',
      '21 13:40',
      '21 13:50',
      '21 14:00',
    ])
    expect(clock(timeTicks(at('2026-11-01T05:00:00'), at('2026-11-04T05:00:00'), 3))).toEqual([
      '2 00:00',
      '3 00:00',
      '4 00:00',
    ])
  })

  it('name the day at midnight', () => {
    const ticks = timeTicks(at('2026-11-21T18:00:00'), at('2026-11-22T06:00:00'), 4)
    expect(ticks.map(({ begins }) => begins)).toEqual(
      ['minute', 'minute', 'day', 'minute', 'minute'].slice(0, ticks.length),
    )
  })

  it.each([
    ['spring', '2026-03-28T12:00:00', '2026-03-30T12:00:00'],
    ['autumn', '2026-10-24T12:00:00', '2026-10-26T12:00:00'],
  ])('stay at full hours when the clock changes in %s', (_season, from, to) => {
    vi.stubEnv('TZ', 'Europe/Oslo')
    const ticks = timeTicks(at(from), at(to), 16)
    expect(clock(ticks).every((time) => time.endsWith(':00'))).toBe(true)
    expect(ticks.every((tick, index) => index === 0 || tick.at > (ticks[index - 1]?.at ?? 0))).toBe(true)
    expect(ticks.filter(({ begins }) => begins === 'day')).toHaveLength(2)
  })

  it('respect the maximum, and are empty for an empty range', () => {
    for (const length of [30, 600, 3_600, 86_400, 2_592_000, 31_536_000]) {
      const from = at('2026-11-21T13:07:13')
      expect(timeTicks(from, from + length, 8).length).toBeLessThanOrEqual(9)
      expect(timeTicks(from, from + length, 8).length).toBeGreaterThan(1)
    }
    expect(timeTicks(5, 5, 8)).toEqual([])
  })
})
