import { describe, expect, it } from 'vitest'
import type { AlertCause, AlertLimits } from '#shared/bridge/alert'
import type { SpendingView } from '#shared/bridge/cost'
import { Machine } from '#shared/service/machine'
import { machineView } from '../fleet/machine-view'
import { balanceAlerts, budgetAlerts, longRunning, machineAlerts, rateAlerts } from './money-alerts'

const usd = (dollars: number) => ({ currency: 'USD', millionths: dollars * 1_000_000 })
const none: AlertLimits = { budget: null, perHour: null, runningHours: null, balanceDays: null }

/** Spending in dollars, with some euros that no limit in dollars may count. */
const spending = (
  dollars: { readonly perHour?: number; readonly month?: number; readonly forecast?: number },
  zone: { readonly timeZone: string; readonly monthStart: string } = {
    timeZone: 'UTC',
    monthStart: '2026-11-01T00:00:00Z',
  },
): SpendingView => {
  const cost = (amount: number) => ({ charged: amount * 600_000, estimated: amount * 400_000 })
  const inCurrency = (currency: string, perHour: number, month: number, forecast: number) => ({
    currency,
    assumed: false,
    perHour: perHour * 1_000_000,
    today: cost(0),
    month: cost(month),
    lastMonth: cost(0),
    forecast: {
      total: forecast * 1_000_000,
      rest: 0,
      running: 1,
      perHour: perHour * 1_000_000,
      unpriced: 0,
      undated: 0,
    },
  })
  return {
    account: 'abcdefghijkl',
    sandbox: false,
    asOf: 0,
    timeZone: zone.timeZone,
    todayStart: 0,
    monthStart: Date.parse(zone.monthStart) / 1000,
    monthEnd: 0,
    history: 'complete',
    usageAsOf: 0,
    failure: null,
    running: { machines: 1, bareMetal: 0, volumes: 0, others: 0 },
    currencies: [
      inCurrency('EUR', 900, 90_000, 90_000),
      inCurrency('USD', dollars.perHour ?? 0, dollars.month ?? 0, dollars.forecast ?? 0),
    ],
  }
}
const never = () => false

describe('a budget', () => {
  const budget = { ...none, budget: usd(1_000) }

  it('is reached once it is spent, and then has no forecast alert', () => {
    expect(budgetAlerts(spending({ month: 999, forecast: 1_000 }), budget, never)).toEqual([])
    expect(budgetAlerts(spending({ month: 1_000, forecast: 3_000 }), budget, never)).toEqual([
      { cause: { kind: 'budget-reached', month: '2026-11', spent: usd(1_000), budget: usd(1_000) } },
    ])
  })

  it('is announced if the forecast is above it', () => {
    expect(budgetAlerts(spending({ month: 400, forecast: 1_001 }), budget, never)).toEqual([
      { cause: { kind: 'budget-forecast', month: '2026-11', forecast: usd(1_001), budget: usd(1_000) } },
    ])
  })

  it('has hysteresis: a forecast alert ends at 99 percent of the budget', () => {
    const stands = ({ kind }: AlertCause) => kind === 'budget-forecast'
    expect(budgetAlerts(spending({ forecast: 995 }), budget, never)).toEqual([])
    expect(budgetAlerts(spending({ forecast: 995 }), budget, stands)).toHaveLength(1)
    expect(budgetAlerts(spending({ forecast: 990 }), budget, stands)).toEqual([])
  })

  it('stays reached until less than 99 percent of it is spent', () => {
    const stands = ({ kind }: AlertCause) => kind === 'budget-reached'
    expect(budgetAlerts(spending({ month: 990 }), budget, stands)).toMatchObject([
      { cause: { kind: 'budget-reached' } },
    ])
    expect(budgetAlerts(spending({ month: 989 }), budget, stands)).toEqual([])
  })

  it('counts only its own currency', () => {
    const euros = { ...none, budget: { currency: 'EUR', millionths: 1 }, perHour: usd(1) }
    expect(rateAlerts(spending({}), euros)).toEqual([])
    expect(budgetAlerts(spending({}), euros, never)).toMatchObject([{ cause: { kind: 'budget-reached' } }])
    const francs = { ...none, budget: { currency: 'CHF', millionths: 1 } }
    expect(budgetAlerts(spending({ month: 5, forecast: 5 }), francs, never)).toEqual([])
  })

  it('covers the month in the user’s time zone', () => {
    const auckland = { timeZone: 'Pacific/Auckland', monthStart: '2026-10-31T11:00:00Z' }
    expect(budgetAlerts(spending({ month: 1_000 }, auckland), budget, never)).toMatchObject([
      { cause: { month: '2026-11' } },
    ])
  })
})

describe('a limit per hour', () => {
  it('is exceeded above its value, not at it', () => {
    const limits = { ...none, perHour: usd(20) }
    expect(rateAlerts(spending({ perHour: 20 }), limits)).toEqual([])
    expect(rateAlerts(spending({ perHour: 21 }), limits)).toEqual([
      { cause: { kind: 'hourly-limit', perHour: usd(21), limit: usd(20) } },
    ])
  })
})

describe('the hours that a machine may run', () => {
  const machine = (id: string, status: string, started_time?: number) =>
    machineView(Machine.parse({ id, name: `name of ${id}`, status, started_time }))
  const limits = { ...none, runningHours: 8 }
  const now = 1_000_000

  it('count from its start while it runs', () => {
    const machines = [
      machine('long', 'running', now - 8 * 3_600),
      machine('short', 'running', now - 8 * 3_600 + 1),
      machine('stopped', 'stopped', 1),
      machine('unknown-start', 'running'),
    ]
    const found = longRunning(machines, limits, now, () => false)
    expect(machineAlerts(found, limits, () => ({ perHour: usd(2), cost: usd(16) }))).toEqual([
      {
        cause: {
          kind: 'long-running',
          machine: 'long',
          name: 'name of long',
          hours: 8,
          perHour: usd(2),
          cost: usd(16),
        },
        since: now - 8 * 3_600,
      },
    ])
    expect(machineAlerts(found, limits, () => undefined)).toMatchObject([{ cause: { perHour: null } }])
    expect(longRunning(machines, none, now, () => true)).toEqual([])
  })

  it('continue while it reboots, and end when it stops', () => {
    const machines = [
      machine('rebooting', 'rebooting', now - 8 * 3_600),
      machine('hard', 'HARD_REBOOT'),
      machine('starting', 'starting', 1),
      machine('stopped', 'stopped', 1),
    ]
    const found = longRunning(machines, limits, now, (id, hours) => id !== 'starting' && hours === 8)
    expect(found.map(({ id }) => id)).toEqual(['rebooting', 'hard'])
    expect(machineAlerts(found, limits, () => undefined).map(({ since }) => since)).toEqual([
      now - 8 * 3_600,
      undefined,
    ])
  })
})

describe('a balance', () => {
  const balance = { available: [usd(480), { currency: 'CHF', millionths: 5 }], asOf: 0 }
  const limits = { ...none, balanceDays: 2 }

  it('is low if it lasts for fewer days than the limit at the current rate', () => {
    expect(balanceAlerts(balance, spending({ perHour: 9 }), limits)).toEqual([])
    expect(balanceAlerts(balance, spending({ perHour: 10 }), limits)).toEqual([
      {
        cause: {
          kind: 'balance-low',
          balance: usd(480),
          perHour: usd(10),
          left: 172_800,
          days: 2,
        },
      },
    ])
    expect(balanceAlerts(balance, spending({ perHour: 0 }), limits)).toEqual([])
    expect(balanceAlerts(balance, spending({ perHour: 99 }), none)).toEqual([])
  })

  it('has no time left when overdrawn', () => {
    const owing = { available: [usd(-5)], asOf: 0 }
    expect(balanceAlerts(owing, spending({ perHour: 1 }), limits)).toMatchObject([{ cause: { left: 0 } }])
  })
})
