import { describe, expect, it } from 'vitest'
import { formatMoney, formatRate } from './format-money'

const usd = (millionths: number) => ({ currency: 'USD', millionths })

describe('an amount of money on screen', () => {
  it('names its currency, and shows the digits that a small amount needs', () => {
    expect(formatMoney(usd(1_234_567_890_000))).toBe('1,234,567.89 USD')
    expect(formatMoney(usd(2_490_000))).toBe('2.49 USD')
    expect(formatMoney(usd(0))).toBe('0.00 USD')
    expect(formatMoney(usd(-59_760_000))).toBe('-59.76 USD')
    expect(formatMoney(usd(125_000))).toBe('0.125 USD')
    expect(formatRate(usd(120))).toBe('0.00012 USD')
    expect(formatMoney(usd(999_999))).toBe('1.00 USD')
  })

  it('has the decimals of its currency', () => {
    const of = (currency: string, millionths: number) => ({ currency, millionths })
    expect(formatMoney(of('JPY', 1_250_000_000))).toBe('1,250 JPY')
    expect(formatMoney(of('JPY', 1_250_400_000))).toBe('1,250 JPY')
    expect(formatMoney(of('JPY', 400_000))).toBe('< 1 JPY')
    expect(formatMoney(of('JPY', 0))).toBe('0 JPY')
    expect(formatRate(of('JPY', 250_500_000))).toBe('251 JPY')
    expect(formatRate(of('JPY', 1_500_000))).toBe('1.5 JPY')
    expect(formatRate(of('JPY', 400_000))).toBe('0.4 JPY')
    expect(formatMoney(of('KWD', 1_234_500))).toBe('1.235 KWD')
    expect(formatMoney(of('KWD', 400))).toBe('< 0.001 KWD')
    expect(formatMoney(of('credits', 2_490_000))).toBe('2.49 credits')
  })

  it('below a cent reads less than a cent, never zero', () => {
    expect(formatMoney(usd(120))).toBe('< 0.01 USD')
    expect(formatMoney(usd(9_999))).toBe('< 0.01 USD')
    expect(formatMoney(usd(10_000))).toBe('0.01 USD')
    expect(formatMoney(usd(-120))).toBe('> -0.01 USD')
  })
})
