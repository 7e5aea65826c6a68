import { describe, expect, it } from 'vitest'
import { feeFor, feeFromDecimal, perHour } from './fee'

const fee = (text: string) => feeFromDecimal(text) ?? 0n

describe('a fee per minute', () => {
  it('keeps what is far below a cent until it is multiplied', () => {
    // 0.0000004 dollars a minute: a millionth only after two and a half minutes.
    expect(feeFor(fee('0.0000004'), 60)).toBe(0)
    expect(feeFor(fee('0.0000004'), 86_400 * 30)).toBe(17_280)
    expect(feeFor(fee('4e-7'), 86_400 * 30)).toBe(17_280)
  })

  it('is rounded once, not each minute', () => {
    // A third of a dollar per hour.
    expect(feeFor(fee('0.005555555555555'), 3600 * 24 * 30)).toBe(240_000_000)
    expect(feeFor(fee('0.0415'), 90)).toBe(62_250)
  })

  it('comes to an amount per hour together with others', () => {
    expect(perHour([fee('0.00000004'), fee('0.00000004'), fee('0.0415')])).toBe(2_490_005)
    expect(perHour([])).toBe(0)
  })

  it('is nothing where the text is no number, or one that no amount has', () => {
    expect(feeFromDecimal('free')).toBeNull()
    expect(feeFromDecimal('1e308')).toBeNull()
    expect(feeFromDecimal('9007199254')).not.toBeNull()
  })
})
