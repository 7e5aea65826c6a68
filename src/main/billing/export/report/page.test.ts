import { describe, expect, it } from 'vitest'
import { translate } from '#shared/messages/index'
import { type DayBars, dayChart, niceStep } from './day-chart'
import type { MonthReport, ReportedCurrency } from './month-report'
import { reportPage } from './page'

const start = Date.parse('2026-11-01T00:00:00Z') / 1000
const usd: ReportedCurrency = {
  currency: 'USD',
  assumed: true,
  charged: 10_000_000,
  estimated: 500_000,
  days: { charged: [4_000_000, 6_000_000], estimated: [0, 500_000] },
  types: [],
  gpus: [],
  top: [
    {
      resource: {
        id: 'a',
        type: 'vm',
        name: '<script>alert("x")</script>',
        state: 'terminated',
        flavor: null,
        gpu: 'NVIDIA H100',
        gpuCount: 8,
        region: null,
        createdAt: null,
        terminatedAt: null,
        firstSeen: null,
        lastSeen: null,
      },
      cost: 10_500_000,
      seconds: 7_200,
    },
  ],
  more: { count: 3, cost: 2_000_000 },
  forecast: { total: 60_000_000, rest: 49_500_000, running: 2, perHour: 250_000, unpriced: 0, undated: 0 },
}
const report: MonthReport = {
  account: 'A & B',
  sandbox: false,
  month: '2026-11-01',
  timeZone: 'UTC',
  asOf: start + 90_000,
  history: 'complete',
  starts: [start, start + 86_400],
  currencies: [usd],
}
const textOf = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const page = (changes: Partial<MonthReport> = {}) => reportPage({ ...report, ...changes }, translate)

describe('the page about a month', () => {
  it('names bare metal as a type of its own, and unknown types as the service spells them', () => {
    const types = ['vm', 'bare-metal', 'gateway'].map((name) => ({
      share: { kind: 'named' as const, key: name, name },
      charged: new Float64Array(),
      estimated: new Float64Array(),
      ahead: new Float64Array(),
      total: 1_000_000,
    }))
    const text = textOf(page({ currencies: [{ ...usd, types }] }))
    for (const name of ['Machines', 'Bare metal', 'gateway']) expect(text).toContain(name)
  })

  it('says what it came to, what it may come to and why, and how that was worked out', () => {
    const text = textOf(page())
    expect(text).toContain('Spending in November 2026')
    expect(text).toContain('10.50 USD')
    expect(text).toContain('10.00 USD charged, 0.50 USD estimated')
    expect(text).toContain('60.00 USD')
    expect(text).toContain('if the 2 active resources keep costing 0.25 USD per hour')
    expect(text).toContain('3 more cost 2.00 USD in total.')
    expect(text).toContain('Currency not reported; showing USD.')
    // Finds paths of missing texts, and unfilled placeholders.
    expect(text).not.toMatch(/exports\.|[{}]/)
  })

  it('holds nothing that runs or is loaded, whatever things are called', () => {
    const made = page()
    expect(made).not.toMatch(/<script/i)
    expect(made).toContain('&lt;script&gt;')
    expect(made).toContain('A &amp; B')
    expect(made).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(made).not.toMatch(/\b(?:src|href)=/)
  })

  it('has no forecast for a month that is over, and says what is not complete or not real', () => {
    const text = textOf(page({ currencies: [{ ...usd, forecast: null }], history: 'partial', sandbox: true }))
    expect(text).toContain('Total')
    expect(text).not.toContain('Forecast')
    expect(text).toContain('Some statements weren’t loaded')
    expect(text).toContain('no real money')
    expect(textOf(page({ history: 'none' }))).toContain('All amounts are estimated')
  })

  it('says where the forecast leaves out what has no known price', () => {
    const forecast = { total: 0, rest: 0, running: 2, perHour: 0, unpriced: 2, undated: 0 }
    const unknown = textOf(page({ currencies: [{ ...usd, forecast }] }))
    expect(unknown).toContain('Forecast for the month Unknown the price of 2 active resources is unknown')
    const some = textOf(
      page({
        currencies: [
          { ...usd, forecast: { ...forecast, total: 60_000_000, perHour: 250_000, unpriced: 1, undated: 0 } },
        ],
      }),
    )
    expect(some).toContain(
      '60.00 USD if the 1 active resource keeps costing 0.25 USD per hour, not counting 1 at an unknown price',
    )
  })

  it('says that the amounts are unknown if all that runs began at an unknown time', () => {
    const forecast = {
      total: 9_000_000,
      rest: 9_000_000,
      running: 1,
      perHour: 250_000,
      unpriced: 0,
      undated: 1,
    }
    const text = textOf(page({ currencies: [{ ...usd, charged: 0, estimated: 0, forecast }] }))
    expect(text).toContain('So far Unknown')
    expect(text).toContain('Forecast for the month Unknown')
  })

  it('keeps currencies apart, and says where nothing was spent', () => {
    const text = textOf(page({ currencies: [usd, { ...usd, currency: 'EUR', assumed: false }] }))
    expect(text).toContain('10.50 USD')
    expect(text).toContain('10.50 EUR')
    expect(text).not.toContain('21.00')
    expect(textOf(page({ currencies: [] }))).toContain('Nothing spent this month.')
  })
})

describe('its chart', () => {
  it('has a bar for each day, as high as what was spent', () => {
    const { html } = dayChart({ labels: ['1', '2'], ...usd.days }, 'Per day', String)
    const bars = [...html.matchAll(/height="([\d.]+)"\s+fill="#0a7465"/g)].map(([, height]) => Number(height))
    expect(bars).toHaveLength(2)
    expect((bars[0] ?? 0) / (bars[1] ?? 1)).toBeCloseTo(4 / 6, 1)
    expect(html.match(/url\(#estimated\)/g)).toHaveLength(1)
  })

  const rectangles = (days: DayBars) =>
    [
      ...dayChart(days, 'Per day', String).html.matchAll(
        /<rect\s+x="[\d.]+"\s+y="([\d.]+)"\s+width="[\d.]+"\s+height="([\d.]+)"/g,
      ),
    ].map(([, y, height]) => ({ y: Number(y), height: Number(height) }))

  it('draws a day below zero down from the zero line', () => {
    const [first, refund, last] = rectangles({
      labels: ['1', '2', '3'],
      charged: [10_000_000, -4_000_000, 2_000_000],
      estimated: [0, 0, 0],
    })
    const zero = (first?.y ?? 0) + (first?.height ?? 0)
    expect(refund?.y).toBeCloseTo(zero, 0)
    expect((refund?.height ?? 0) / (first?.height ?? 1)).toBeCloseTo(0.4, 1)
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeCloseTo(zero, 0)
  })

  it('keeps a refund and an estimate of one day inside the plot, on both sides of zero', () => {
    const bars = rectangles({ labels: ['1'], charged: [-4_000_000], estimated: [10_000_000] })
    expect(bars).toHaveLength(2)
    expect(bars[0]?.y).toBeCloseTo((bars[1]?.y ?? 0) + (bars[1]?.height ?? 0), 0)
    for (const { y, height } of bars) {
      expect(y).toBeGreaterThanOrEqual(8)
      expect(y + height).toBeLessThanOrEqual(120)
    }
  })

  it.each([
    [1, 1],
    [7, 2],
    [3_250_000_000, 1_000_000_000],
    [16_000_000, 5_000_000],
  ])('of at most %d is ruled every %d', (highest, step) => {
    expect(niceStep(highest)).toBe(step)
  })
})
