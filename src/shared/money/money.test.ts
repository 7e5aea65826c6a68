import { describe, expect, it } from 'vitest'
import { Money, moneyFromDecimal, moneyFromNumber, sumByCurrency, timesMoney } from './money'

const usd = (millionths: number) => ({ currency: 'USD', millionths })

describe('an amount of money', () => {
  it('is read from decimal text as whole millionths', () => {
    expect(moneyFromDecimal('2.49', 'USD')).toEqual(usd(2_490_000))
    expect(moneyFromDecimal('0.000001', 'USD')).toEqual(usd(1))
    expect(moneyFromDecimal('-12', 'EUR')).toEqual({ currency: 'EUR', millionths: -12_000_000 })
    expect(moneyFromDecimal('.5', 'USD')).toEqual(usd(500_000))
    expect(moneyFromDecimal('5.', 'USD')).toEqual(usd(5_000_000))
  })

  it('is rounded to the nearest millionth, halves away from zero', () => {
    expect(moneyFromDecimal('0.0000014', 'USD')).toEqual(usd(1))
    expect(moneyFromDecimal('0.0000015', 'USD')).toEqual(usd(2))
    expect(moneyFromDecimal('-0.0000015', 'USD')).toEqual(usd(-2))
  })

  it('is what the wire said, exponents and binary fractions included', () => {
    expect(moneyFromNumber(1e-7, 'USD')).toEqual(usd(0))
    expect(moneyFromNumber(4e-6, 'USD')).toEqual(usd(4))
    expect(moneyFromNumber(0.1, 'USD')).toEqual(usd(100_000))
    expect(moneyFromNumber(1.005, 'USD')).toEqual(usd(1_005_000))
    expect(moneyFromDecimal('1.5e3', 'USD')).toEqual(usd(1_500_000_000))
  })

  it('is nothing where the text is no number, or too large to be exact', () => {
    for (const text of ['', '.', 'free', '1,5', '0x10', 'NaN', 'Infinity', '1e999']) {
      expect(moneyFromDecimal(text, 'USD'), text).toBeNull()
    }
    expect(moneyFromDecimal('9999999999999', 'USD')).toBeNull()
  })

  it('is multiplied and divided with one rounding', () => {
    expect(timesMoney(usd(2_490_000), 24)).toEqual(usd(59_760_000))
    expect(timesMoney(usd(2_490_000), 1, 60)).toEqual(usd(41_500))
    expect(timesMoney(usd(100), 1, 3)).toEqual(usd(33))
    expect(timesMoney(usd(-1), 1, 2)).toEqual(usd(-1))
  })

  it('is added to its own currency only', () => {
    const eur = { currency: 'EUR', millionths: 3 }
    expect(sumByCurrency([usd(1), eur, usd(2)])).toEqual([usd(3), eur])
    expect(sumByCurrency([])).toEqual([])
    // Amounts above nine billion are not exact to the millionth.
    const most = { currency: 'USD', millionths: Number.MAX_SAFE_INTEGER }
    expect(sumByCurrency([most, most]).map((sum) => Money.safeParse(sum).success)).toEqual([true])
  })
})
