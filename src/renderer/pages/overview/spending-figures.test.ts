import { describe, expect, it } from 'vitest'
import type { CurrencySpending, SpendingView } from '#shared/bridge/cost'
import { inOrder, ownPerHour } from './account-groups'
import { budgetShares } from './budget-bar'
import { addDays } from '#shared/money/calendar'
import { dateOf, dayOfMonth, monthBefore, monthName } from './calendar-text'
import { dailySpending } from './daily-spending'
import { spendingFigures } from './spending-figures'
import { accountNamed } from '../../stores/stores.fixture'

const dollar = 1_000_000
const usd = (amount: number) => ({ currency: 'USD', millionths: amount * dollar })
const at = (text: string): number => Date.parse(text) / 1000

const inCurrency = (currency: string, perHour: number, month = 0, forecast = 0): CurrencySpending => ({
  currency,
  assumed: currency === 'USD',
  perHour: perHour * dollar,
  today: { charged: 0, estimated: 0 },
  month: { charged: (month - 1) * dollar, estimated: dollar },
  lastMonth: { charged: 0, estimated: 0 },
  forecast: {
    total: forecast * dollar,
    rest: 0,
    running: 2,
    perHour: perHour * dollar,
    unpriced: 0,
    undated: 0,
  },
})
const viewOf = (currencies: CurrencySpending[], account = 'aaaaaaaaaaaa'): SpendingView => ({
  account,
  sandbox: false,
  asOf: 0,
  timeZone: 'UTC',
  todayStart: 0,
  monthStart: at('2026-11-01T00:00:00Z'),
  monthEnd: at('2026-12-01T00:00:00Z'),
  history: 'complete',
  usageAsOf: 0,
  failure: null,
  running: { machines: 1, bareMetal: 0, volumes: 1, others: 0 },
  currencies,
})

describe('the figures of an account', () => {
  const two = viewOf([inCurrency('EUR', 5, 100, 200), inCurrency('USD', 2, 660, 1_110)])

  it('assume the currency without spending and without a budget', () => {
    const nothing = viewOf([])
    expect(spendingFigures(nothing, { budget: null }, null)).toMatchObject({
      perHour: [usd(0)],
      assumed: ['USD'],
    })
    const budget = { currency: 'EUR', millionths: dollar }
    expect(spendingFigures(nothing, { budget }, null).assumed).toEqual([])
  })

  it('a budget in a currency that nothing is spent in is not compared', () => {
    const chf = { currency: 'CHF', millionths: 1_000 * dollar }
    const figures = spendingFigures(two, { budget: chf }, { available: [chf], asOf: 0 })
    expect(figures).toMatchObject({ against: null, otherThanBudget: ['EUR', 'USD'] })
    expect(figures.balance).toEqual([{ money: chf, left: 'unknown' }])
    const both = spendingFigures(two, { budget: usd(1) }, { available: [chf, usd(4)], asOf: 0 })
    expect(both.balance.map(({ left }) => left)).toEqual([null, 7_200])
    expect(both.otherThanBudget).toEqual([])
    // Nothing is spent, so the budget is compared with 0.
    const nothing = spendingFigures(viewOf([]), { budget: chf }, { available: [chf], asOf: 0 })
    expect(nothing).toMatchObject({ against: { spentPercent: 0 }, balance: [{ left: null }] })
  })

  it('an unknown price leaves the budget without a percentage and the balance without a time', () => {
    const unpriced = { ...inCurrency('USD', 0), month: { charged: 0, estimated: 0 } }
    const view = viewOf([{ ...unpriced, forecast: { ...unpriced.forecast, unpriced: 1 } }])
    const figures = spendingFigures(view, { budget: usd(9) }, { available: [usd(9)], asOf: 0 })
    expect(figures).toMatchObject({ against: null, otherThanBudget: [], balance: [{ left: 'unknown' }] })
  })

  it("are sorted by currency, the budget's first", () => {
    const figures = spendingFigures(two, { budget: usd(1_000) }, null)
    expect(figures.perHour).toEqual([usd(2), { currency: 'EUR', millionths: 5 * dollar }])
    expect(figures.against).toEqual({
      budget: usd(1_000),
      spent: usd(660),
      forecast: usd(1_110),
      spentPercent: 66,
      forecastPercent: 111,
    })
    expect(figures.running).toBe(4)
    expect(figures.estimated).toEqual([{ currency: 'EUR', millionths: dollar }])
    expect(figures.assumed).toEqual(['USD'])
    expect(spendingFigures(two, { budget: null }, null)).toMatchObject({
      against: null,
      perHour: [{ currency: 'EUR' }, { currency: 'USD' }],
    })
  })

  it('are zero without spending', () => {
    const figures = spendingFigures(viewOf([]), { budget: null }, null)
    expect(figures.perHour).toEqual([usd(0)])
    expect(figures.estimated).toEqual([])
  })

  it('contain the duration of each balance', () => {
    const available = [usd(48), { currency: 'CHF', millionths: 1 }]
    expect(spendingFigures(two, { budget: null }, { available, asOf: 0 }).balance).toEqual([
      { money: usd(48), left: 86_400 },
      { money: { currency: 'CHF', millionths: 1 }, left: null },
    ])
  })
})

describe('a budget as a bar', () => {
  it('is as long as the largest of spending, forecast and budget', () => {
    expect(budgetShares(660, 1_110, 1_000, 0.7)).toEqual({
      spent: 660 / 1_110,
      forecast: 1,
      budget: 1_000 / 1_110,
      even: 700 / 1_110,
    })
    expect(budgetShares(10, 20, 100, 0.5)).toEqual({ spent: 0.1, forecast: 0.2, budget: 1, even: 0.5 })
    expect(budgetShares(0, 0, 0, 2)).toEqual({ spent: 0, forecast: 0, budget: 0, even: 0 })
  })
})

describe('accounts', () => {
  const mine = accountNamed('aaaaaaaaaaaa')
  const other = accountNamed('bbbbbbbbbbbb')
  const sandbox = accountNamed('cccccccccccc', { sandbox: true })

  it('come before the sandbox, whose money is in no total', () => {
    expect(inOrder([sandbox, mine])).toEqual([mine, sandbox])
    const views = new Map(
      [mine, other, sandbox].map(({ id }) => [id, viewOf([inCurrency('USD', 3), inCurrency('EUR', 1)], id)]),
    )
    expect(ownPerHour([mine, sandbox, other], views)).toEqual([
      usd(6),
      { currency: 'EUR', millionths: 2 * dollar },
    ])
    expect(ownPerHour([mine, sandbox], views)).toEqual([])
  })
})

describe("the user's calendar", () => {
  const berlin = {
    timeZone: 'Europe/Berlin',
    monthStart: at('2028-02-01T00:00:00+01:00'),
    monthEnd: at('2028-03-01T00:00:00+01:00'),
  }

  it('counts the days of a month', () => {
    expect(dayOfMonth(berlin, at('2028-02-29T23:59:00+01:00'))).toEqual({ day: 29, days: 29 })
    expect(dayOfMonth(berlin, at('2028-02-01T00:00:00+01:00'))).toEqual({ day: 1, days: 29 })
    expect(monthName(berlin)).toBe('February')
    expect(monthBefore(berlin)).toBe('January')
  })

  it('returns the date of a moment', () => {
    expect(dateOf(at('2026-12-31T23:30:00Z'), 'Europe/Berlin')).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(addDays('2026-11-21', -29)).toBe('2026-10-23')
  })
})

it('daily spending is summed by currency, in units of the currency', () => {
  const values = (...amounts: number[]) => Float64Array.from(amounts.map((amount) => amount * dollar))
  const series = (charged: Float64Array<ArrayBuffer>, estimated: Float64Array<ArrayBuffer>) => ({
    share: { kind: 'total' as const },
    charged,
    estimated,
    ahead: values(9, 9),
    total: 0,
  })
  expect(
    dailySpending({
      account: 'aaaaaaaaaaaa',
      asOf: 0,
      timeZone: 'UTC',
      history: 'complete',
      starts: values(1, 2),
      end: 3,
      currencies: [{ currency: 'USD', assumed: false, series: [series(values(1, 2), values(0, 0.5))] }],
    }),
  ).toEqual([{ currency: 'USD', assumed: false, charged: [1, 2], estimated: [0, 0.5] }])
})
