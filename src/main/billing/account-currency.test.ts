import { expect, it } from 'vitest'
import { accountCurrency } from './account-currency'

const nothing = { chosen: null, balance: [], reported: [] }

it('the choice of the user takes precedence', () => {
  const sources = { chosen: 'CNY', balance: ['EUR'], reported: ['USD'] }
  expect(accountCurrency(sources)).toEqual({ currency: 'CNY', assumed: false })
})

it('the currency of the balance decides if it is the only one', () => {
  expect(accountCurrency({ ...nothing, balance: ['EUR', 'EUR'], reported: ['USD'] }).currency).toBe('EUR')
  expect(accountCurrency({ ...nothing, balance: ['EUR', 'CHF'], reported: ['GBP'] }).currency).toBe('GBP')
})

it('the only currency that amounts carry decides, also if other amounts carry none', () => {
  expect(accountCurrency({ ...nothing, reported: ['EUR'] })).toEqual({ currency: 'EUR', assumed: false })
  expect(accountCurrency({ ...nothing, reported: ['EUR', 'CHF'] })).toEqual({
    currency: 'USD',
    assumed: true,
  })
})

it('the default is an assumption', () => {
  expect(accountCurrency(nothing)).toEqual({ currency: 'USD', assumed: true })
})
