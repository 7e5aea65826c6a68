import { z } from 'zod'

/**
 * Whole millionths of one unit of a currency. Amounts of the service are exact up to nine billion units; a larger sum
 * is rounded.
 */
export const Millionths = z.number().refine(Number.isInteger)

/** Amount in whole millionths of one unit of its currency, so that sums are exact. */
export const Money = z.object({ currency: z.string().min(1), millionths: Millionths })
export type Money = z.infer<typeof Money>

const decimal = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/

/** Whether a number of millionths is exact as a number. */
export const isSafe = (whole: bigint): boolean =>
  whole <= BigInt(Number.MAX_SAFE_INTEGER) && whole >= BigInt(Number.MIN_SAFE_INTEGER)

/** Returns the nearest integer to `dividend / divisor`, halves away from zero. `divisor` is positive. */
export const rounded = (dividend: bigint, divisor: bigint): bigint => {
  const half = divisor / 2n
  return (dividend < 0n ? dividend - half : dividend + half) / divisor
}

/**
 * Parses decimal text ("2.49", "1e-7") as a whole number of 10^-`places`, rounded to the nearest. Null if it is no
 * decimal number. Uses no binary fractions.
 */
export function wholeFromDecimal(text: string, places: number): bigint | null {
  const [matched, sign, whole = '', fraction = '', exponent = '0'] = decimal.exec(text.trim()) ?? []
  if (matched === undefined || whole + fraction === '') return null
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const shift = Number(exponent) - fraction.length + places
  return shift >= 0 ? digits * 10n ** BigInt(shift) : rounded(digits, 10n ** BigInt(-shift))
}

/**
 * Parses an amount from decimal text, rounded to the nearest millionth. Null if it is no decimal number, or too large
 * to be exact.
 */
export function moneyFromDecimal(text: string, currency: string): Money | null {
  const millionths = wholeFromDecimal(text, 6)
  return millionths !== null && isSafe(millionths) ? { currency, millionths: Number(millionths) } : null
}

/** Like moneyFromDecimal, for a number of the service: its shortest decimal text equals the text that was sent. */
export const moneyFromNumber = (amount: number, currency: string): Money | null =>
  moneyFromDecimal(String(amount), currency)

/** Multiplies an amount by `share` / `whole`, rounded once. */
export const timesMoney = (money: Money, share: number, whole = 1): Money => ({
  ...money,
  millionths: Number(rounded(BigInt(money.millionths) * BigInt(share), BigInt(whole))),
})

/** Sums amounts by currency, in the order of the currencies. Never adds different currencies. */
export function sumByCurrency(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<string, number>()
  for (const { currency, millionths } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + millionths)
  return [...sums].map(([currency, millionths]) => ({ currency, millionths }))
}

/** Currency of the service if it names none (api-spec.md §4, payment_currency of POST /volumes). */
export const defaultCurrency = 'USD'

/** Returns items whose prices are in the account's currency. A price itself names none. */
export const pricedIn = <Item extends { readonly price: Money | null }>(
  items: readonly Item[],
  currency: string,
): Item[] => items.map((item) => ({ ...item, price: item.price && { ...item.price, currency } }))

/** Returns a value of the service as ISO 4217 code in capitals; null if it is none: `$`, `credits`, a number. */
export function currencyCode(value: unknown): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return /^[A-Z]{3}$/.test(code) ? code : null
}
