import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSettings } from '../store/settings'
import { createCurrencies, reportedCurrency } from './currency'

const account = 'abcdefghijkl'
const open = async (named: { balance: string[]; reported: string[] } = { balance: [], reported: [] }) => {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-currency-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const start = () =>
    createCurrencies(
      openSettings(folder),
      (_account, resource) =>
        ({ 'created-here': 'EUR', 'created-in-small': 'eur', 'created-oddly': 'credits' })[resource] ?? null,
      () => named,
    )
  return { currencies: start(), restart: start }
}

describe('the currency of an amount', () => {
  it('is what the answer carries, else what was sent, else what the account is set to', async () => {
    const { currencies } = await open()
    expect(currencies.of(account, 'created-here', 'CNY')).toEqual({ currency: 'CNY', assumed: false })
    expect(currencies.of(account, 'created-here', null)).toEqual({ currency: 'EUR', assumed: false })
    expect(currencies.of(account, 'other', null)).toEqual({ currency: 'USD', assumed: true })
  })

  it('is that of the account if nothing carries one: the only one of its balance or its amounts', async () => {
    const { currencies } = await open({ balance: ['EUR'], reported: ['CHF'] })
    expect(currencies.of(account, 'other', null)).toEqual({ currency: 'EUR', assumed: true })
    expect(currencies.setting(account)).toEqual({ currency: 'EUR', chosen: false })
    await currencies.choose(account, 'GBP')
    expect(currencies.decide(account)).toEqual({ currency: 'GBP', assumed: false })
  })

  it('is no other where what was reported or sent is not three letters', async () => {
    const { currencies } = await open()
    const assumed = { currency: 'USD', assumed: true }
    expect(currencies.of(account, 'other', '$')).toEqual(assumed)
    expect(currencies.of(account, 'created-here', 'euro')).toEqual({ currency: 'EUR', assumed: false })
    expect(currencies.of(account, 'created-in-small', null)).toEqual({ currency: 'EUR', assumed: false })
    expect(currencies.of(account, 'created-oddly', null)).toEqual(assumed)
  })

  it('is assumed also where the person chose it', async () => {
    const { currencies, restart } = await open()
    const changed: string[] = []
    currencies.onChange((one) => changed.push(one))
    expect(await currencies.choose(account, 'GBP')).toEqual({ currency: 'GBP', chosen: true })
    expect(currencies.of(account, 'other', null)).toEqual({ currency: 'GBP', assumed: true })
    expect(currencies.of('otheraccount', 'other', null)).toEqual({ currency: 'USD', assumed: true })
    expect(restart().setting(account)).toEqual({ currency: 'GBP', chosen: true })
    expect(await currencies.choose(account, null)).toEqual({ currency: 'USD', chosen: false })
    expect(changed).toEqual([account, account])
  })

  it('is read from an answer where it is one', () => {
    expect(reportedCurrency({ currency: 'usd' })).toBe('USD')
    expect(reportedCurrency({ payment_currency: 'EUR' })).toBe('EUR')
    for (const odd of [{}, { currency: '' }, { currency: 7 }, { currency: '$' }, { currency: null }])
      expect(reportedCurrency(odd)).toBeNull()
  })
})
