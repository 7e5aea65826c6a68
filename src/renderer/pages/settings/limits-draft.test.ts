import { describe, expect, it } from 'vitest'
import { draftOf, type LimitsDraft, readDraft } from './limits-draft'

const none = { budget: null, perHour: null, runningHours: null, balanceDays: null }
const empty: LimitsDraft = draftOf(none, 'EUR')
const budget = (amount: string, currency = 'USD') =>
  readDraft({ ...empty, budget: { amount, currency } }).budget
const usd = (millionths: number) => ({ currency: 'USD', millionths })

describe('typed limits', () => {
  it("show the saved limits, and the account's currency for empty ones", () => {
    const limits = { budget: usd(1_200_000_000), perHour: usd(500_000), runningHours: 24, balanceDays: 3 }
    const draft = draftOf(limits, 'EUR')
    expect(draft).toEqual({
      budget: { amount: '1200', currency: 'USD' },
      perHour: { amount: '0.5', currency: 'USD' },
      runningHours: '24',
      balanceDays: '3',
    })
    expect(readDraft(draft)).toEqual({
      budget: { kind: 'value', value: limits.budget },
      perHour: { kind: 'value', value: limits.perHour },
      runningHours: { kind: 'value', value: 24 },
      balanceDays: { kind: 'value', value: 3 },
    })
    expect(empty.budget).toEqual({ amount: '', currency: 'EUR' })
    expect(Object.values(readDraft(empty))).toEqual(Array(4).fill({ kind: 'value', value: null }))
  })

  it('accept grouped digits and a currency in lower case', () => {
    expect(budget('12,000.50', 'eur')).toEqual({
      kind: 'value',
      value: { currency: 'EUR', millionths: 12_000_500_000 },
    })
    expect(budget(' 1 200 ')).toEqual({ kind: 'value', value: usd(1_200_000_000) })
  })

  it.each([
    ['0,500', 500_000],
    ['1,250', 1_250_000_000],
    ['1.250', 1_250_000],
  ])('%s is ambiguous until the user confirms the amount', (amount, millionths) => {
    const reading = readDraft({ ...empty, budget: { amount, currency: 'USD' }, runningHours: '8' })
    expect(reading.budget).toEqual({ kind: 'ambiguous', money: usd(millionths) })
    expect(reading.runningHours).toEqual({ kind: 'value', value: 8 })
  })

  it.each(['0', '-5', 'much', '0.0000001'])('reject %s as an amount', (amount) => {
    expect(budget(amount)).toEqual({ kind: 'wrong', message: 'alerts.limits.wrong.money' })
  })

  it('require a currency of three letters', () => {
    expect(budget('5', '$')).toEqual({ kind: 'wrong', message: 'alerts.limits.wrong.currency' })
  })

  it.each(['0', '1.5', '-1', '99999', 'x'])('reject %s as hours', (runningHours) => {
    expect(readDraft({ ...empty, runningHours }).runningHours).toEqual({
      kind: 'wrong',
      message: 'alerts.limits.wrong.hours',
    })
  })

  it('accept days up to a year', () => {
    expect(readDraft({ ...empty, balanceDays: '366' }).balanceDays).toEqual({ kind: 'value', value: 366 })
    expect(readDraft({ ...empty, balanceDays: '367' }).balanceDays.kind).toBe('wrong')
  })
})
