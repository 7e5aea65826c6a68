import { describe, expect, it } from 'vitest'
import { draftOf, type LimitsDraft, readDraft } from './limits-draft'

const none = { budget: null, perHour: null, runningHours: null, balanceDays: null }
const empty: LimitsDraft = draftOf(none, 'EUR')
const budget = (amount: string, currency = 'USD') => readDraft({ ...empty, budget: { amount, currency } })

describe('limits as they are typed', () => {
  it('are shown as they are kept, in the currency of the account where none is', () => {
    const limits = {
      budget: { currency: 'USD', millionths: 1_200_000_000 },
      perHour: { currency: 'USD', millionths: 500_000 },
      runningHours: 24,
      balanceDays: 3,
    }
    expect(draftOf(limits, 'EUR')).toEqual({
      budget: { amount: '1200', currency: 'USD' },
      perHour: { amount: '0.5', currency: 'USD' },
      runningHours: '24',
      balanceDays: '3',
    })
    expect(readDraft(draftOf(limits)).limits).toEqual(limits)
    expect(empty.budget).toEqual({ amount: '', currency: 'EUR' })
    expect(readDraft(empty)).toEqual({ limits: none, wrong: {} })
  })

  it('may be grouped, and name their currency in small letters', () => {
    expect(budget('12,000.50', 'eur').limits?.budget).toEqual({
      currency: 'EUR',
      millionths: 12_000_500_000,
    })
    expect(budget(' 1 200 ').limits?.budget).toEqual({ currency: 'USD', millionths: 1_200_000_000 })
  })

  it.each(['0', '-5', 'much', '1,5', '0.0000001'])('are not %s of money', (amount) => {
    expect(budget(amount)).toMatchObject({ limits: null, wrong: { budget: 'alerts.limits.wrong.money' } })
  })

  it('name a currency of three letters', () => {
    expect(budget('5', '$').wrong).toEqual({ budget: 'alerts.limits.wrong.currency' })
  })

  it.each(['0', '1.5', '-1', '99999', 'x'])('are not %s hours', (runningHours) => {
    expect(readDraft({ ...empty, runningHours }).wrong).toEqual({
      runningHours: 'alerts.limits.wrong.hours',
    })
  })

  it('count days up to a year', () => {
    expect(readDraft({ ...empty, balanceDays: '366' }).limits).toMatchObject({ balanceDays: 366 })
    expect(readDraft({ ...empty, balanceDays: '367' }).limits).toBeNull()
  })
})
