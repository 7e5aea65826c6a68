import { expect, it } from 'vitest'
import { priceCurrency } from './price-currency'

const unset = { currency: 'USD', chosen: false }
const left = (currency: string) => ({ currency, millionths: 1 })
const charge = (currency: string, assumed = false) => ({ currency, assumed })

it('is what the person chose, whatever else is known', () => {
  const setting = { currency: 'CNY', chosen: true }
  expect(priceCurrency({ setting, balance: [left('EUR')], charged: [charge('USD')] })).toEqual({
    ...{ currency: 'CNY', assumed: false },
  })
})

it('is the currency of the balance, where that is one', () => {
  const known = { setting: unset, charged: [charge('USD')] }
  expect(priceCurrency({ ...known, balance: [left('EUR')] })).toEqual({ currency: 'EUR', assumed: false })
  const several = [left('EUR'), left('CHF')]
  expect(priceCurrency({ ...known, balance: several })).toEqual({ currency: 'USD', assumed: false })
})

it('is the currency that every charge names', () => {
  const known = { setting: unset, balance: [] }
  expect(priceCurrency({ ...known, charged: [charge('EUR')] })).toEqual({ currency: 'EUR', assumed: false })
  const mixed = [charge('EUR'), charge('USD', true)]
  expect(priceCurrency({ ...known, charged: mixed })).toEqual({ currency: 'USD', assumed: true })
})

it('is an assumption where nothing names it', () => {
  expect(priceCurrency({ setting: unset, balance: [], charged: [] })).toEqual({
    ...{ currency: 'USD', assumed: true },
  })
})
