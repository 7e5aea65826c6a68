import { describe, expect, it } from 'vitest'
import type { CostDays, CostShare } from '#shared/bridge/cost'
import { costBars } from './cost-series'
import { shareText } from './cost-text'

const start = Date.parse('2026-11-01T00:00:00Z') / 1000
const day = 86_400
const now = start + 10 * day
const words = {
  share: (share: CostShare) => share.kind,
  charged: 'charged',
  estimated: 'estimated',
  ahead: 'ahead',
  forecast: 'forecast',
}
const colors = { spent: 'blue', forecast: 'grey' }

/** November as one bucket, in which a machine at $1 an hour was charged `ahead` dollars in advance. */
const month = (share: CostShare, ahead: number): CostDays => ({
  account: 'abcdefghijkl',
  asOf: now,
  timeZone: 'UTC',
  history: 'complete',
  starts: Float64Array.of(start),
  end: start + 30 * day,
  currencies: [
    {
      currency: 'USD',
      assumed: false,
      series: [
        {
          share,
          charged: Float64Array.of(240e6),
          estimated: Float64Array.of(0),
          ahead: Float64Array.of(ahead * 1e6),
          total: 240e6,
        },
      ],
    },
  ],
})
const bars = (share: CostShare, ahead: number, perHour: number | null = 1e6) =>
  costBars(month(share, ahead), 'USD', words, now, perHour, colors).map(({ name, values }) => [
    name,
    ...values,
  ])

describe('the bar of an unfinished month', () => {
  it('shows a forecast at the current rate', () => {
    expect(bars({ kind: 'total' }, 0)).toEqual([
      ['charged', 240],
      ['forecast', 480],
    ])
    expect(bars({ kind: 'total' }, 0, null)).toEqual([['charged', 240]])
  })

  it('does not forecast prepaid time', () => {
    expect(bars({ kind: 'total' }, 200)).toEqual([
      ['charged', 240],
      ['ahead', 200],
      ['forecast', 280],
    ])
    for (const ahead of [480, 500])
      expect(bars({ kind: 'total' }, ahead)).toEqual([
        ['charged', 240],
        ['ahead', ahead],
      ])
  })

  it('forecasts prepaid time if the spending is split, which has no bar for it', () => {
    expect(bars({ kind: 'unknown' }, 480)).toEqual([
      ['unknown', 240],
      ['forecast', 480],
    ])
  })
})

it('a type has its own name, even if it equals a property of every object', () => {
  const named = (key: string) => shareText({ kind: 'named', key, name: key })
  expect(named('vm')).toBe('Machines')
  expect(named('constructor')).toBe('constructor')
})
