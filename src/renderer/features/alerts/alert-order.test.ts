import { describe, expect, it } from 'vitest'
import type { Alert, AlertCause } from '#shared/bridge/alert'
import type { Money } from '#shared/money/money'
import type { AccountWaste } from '../../stores/waste'
import { type Attention, byMoney, isUrgent } from './alert-order'

const usd = (amount: number, currency = 'USD'): Money => ({ currency, millionths: amount * 1_000_000 })
const alertOf = (id: string, cause: AlertCause): Alert => ({
  id,
  account: 'acmelabs0001',
  cause,
  since: 1,
  snoozedUntil: null,
})
const alert = (id: string, cause: AlertCause, waste: AccountWaste | null = null): Attention => ({
  kind: 'alert',
  alert: alertOf(id, cause),
  waste,
})
const item = (id: string, perMonth: Money | null): AccountWaste => ({
  id,
  name: id,
  reason: { kind: 'detached' },
  end: 'delete-volume',
  account: 'acmelabs0001',
  perHour: null,
  perMonth,
  soFar: null,
})
const waste = (id: string, perMonth: Money | null): Attention => ({
  kind: 'waste',
  waste: item(id, perMonth),
})
const reached = (over: number): AlertCause => ({
  kind: 'budget-reached',
  month: '2026-03',
  spent: usd(100 + over),
  budget: usd(100),
})
const balance = (left: number): AlertCause => ({
  kind: 'balance-low',
  balance: usd(1),
  perHour: usd(1),
  left,
  days: 3,
})
const idle: AlertCause = { kind: 'idle', machine: 'm', name: 'm', cost: null, use: 'idle' }
const ids = (all: readonly Attention[]) =>
  byMoney(all).map((one) => (one.kind === 'alert' ? one.alert.id : one.waste.id))

describe('byMoney', () => {
  it('puts urgent alerts first, even if other alerts cost more', () => {
    expect(ids([waste('dear', usd(9_000)), alert('over', reached(1))])).toEqual(['over', 'dear'])
  })

  it('sorts by the cost of a month, highest first', () => {
    const perHour = alert('hourly', { kind: 'hourly-limit', perHour: usd(3), limit: usd(2) })
    const all = [waste('small', usd(5)), perHour, alert('idle', idle, item('m', usd(900)))]
    expect(ids(all)).toEqual(['idle', 'hourly', 'small'])
  })

  it('groups amounts by currency', () => {
    const all = [waste('usd', usd(9)), waste('eur-2', usd(2, 'EUR')), waste('eur-5', usd(5, 'EUR'))]
    expect(ids(all)).toEqual(['eur-5', 'eur-2', 'usd'])
  })

  it('puts unknown amounts last, after 0', () => {
    const all = [alert('idle', idle), waste('unknown', null), waste('known', usd(0))]
    expect(ids(all)).toEqual(['known', 'idle', 'unknown'])
  })
})

it('an alert is urgent if the money is gone or ends within a day', () => {
  const urgent = (cause: AlertCause) => isUrgent(alertOf('a', cause))
  expect([reached(1), balance(86_399), balance(86_400), idle].map(urgent)).toEqual([true, true, false, false])
})
