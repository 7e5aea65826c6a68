import { numberFormat } from '../locale'
import { type Money, rounded } from './money'

const unit = 1_000_000n
/** Formats by number of decimals. */
const amountFormats = [0, 1, 2, 3, 4, 5, 6].map((digits) =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }),
)

/** Decimals of a currency by ISO 4217 (JPY 0, USD 2, KWD 3); two for a code that Intl rejects. At most six. */
const decimalsByCurrency = new Map<string, number>()
function decimalsOf(currency: string): number {
  let decimals = decimalsByCurrency.get(currency)
  if (decimals === undefined) {
    decimals = /^[A-Z]{3}$/.test(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
          .maximumFractionDigits ?? 2)
      : 2
    decimalsByCurrency.set(currency, decimals)
  }
  return decimals
}

/** Formats an amount with `most` decimals at most, rounded once, and without zeros behind the `least` that stay. */
function format({ currency, millionths }: Money, least: number, most: number): string {
  const scale = 10n ** BigInt(6 - most)
  const shown = rounded(BigInt(millionths), scale) * scale
  const sign = shown < 0n ? '-' : ''
  const positive = shown < 0n ? -shown : shown
  const fraction = (positive % unit).toString().padStart(6, '0').slice(0, most)
  const trimmed = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, '')
  // At most six digits below one unit and three above it: a binary fraction is exact enough.
  const amount = amountFormats[trimmed.length]?.(Number(positive) / Number(unit)) ?? ''
  return `${sign}${amount} ${currency}`
}

/**
 * Formats an amount with its currency and the currency's own decimals, three below one unit of currencies with two. An
 * amount below the smallest coin reads "< 0.01 USD". For prices and rates: formatRate.
 */
export function formatMoney(money: Money): string {
  const { currency, millionths } = money
  const decimals = decimalsOf(currency)
  const smallest = 10 ** (6 - decimals)
  const size = Math.abs(millionths)
  if (size > 0 && size < smallest) {
    const limit = format({ currency, millionths: Math.sign(millionths) * smallest }, decimals, decimals)
    return `${millionths < 0 ? '>' : '<'} ${limit}`
  }
  return format(money, decimals, size > 0 && size < 1_000_000 ? Math.max(3, decimals) : decimals)
}

/**
 * Formats a price or a spending rate with its currency. A small one gets the decimals it needs, at most six. Only
 * this file formats money.
 */
export function formatRate(money: Money): string {
  const decimals = decimalsOf(money.currency)
  const size = Math.abs(money.millionths)
  if (size === 0 || size >= 100_000_000) return format(money, decimals, decimals)
  const most = size >= 1_000_000 ? Math.max(2, decimals) : size >= 10_000 ? Math.max(3, decimals) : 6
  return format(money, decimals, most)
}
