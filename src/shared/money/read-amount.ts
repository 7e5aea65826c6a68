import { perLocale } from '../locale'
import { type Money, wholeFromDecimal } from './money'

/**
 * Reading of a typed amount. `decimal` is decimal text with a point. `ambiguous`: another convention reads a
 * different amount, or only another one can read it, so the user must confirm it.
 */
export type AmountReading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'amount' | 'ambiguous'; readonly decimal: string }

/** The decimal separator of the current locale: a comma or a point. */
const decimalSeparator = perLocale((locale): ',' | '.' =>
  new Intl.NumberFormat(locale)
    .formatToParts(0.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')
    ? ','
    : '.',
)

/** Spaces and apostrophes between groups of three digits, which no convention uses for anything else. */
const plainGroups = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g

/** Groups of three digits, and Indian groups: 12,34,567. */
const groupings = [/^[1-9]\d{0,2}(?:,\d{3})+$/, /^[1-9]\d?(?:,\d{2})+,\d{3}$/]

/** Reads a number with these separators as decimal text; null if it is none. A group may not follow a leading zero. */
function readAs(text: string, group: string, decimal: string): string | null {
  const [whole = '', fraction = '', ...rest] = text.split(decimal)
  if (rest.length > 0 || !/^\d*$/.test(fraction)) return null
  const [first = '', ...groups] = whole.split(group)
  const isGrouped = groups.length > 0
  if (isGrouped && !groupings.some((grouping) => grouping.test([first, ...groups].join(',')))) return null
  const digits = first + groups.join('')
  return /^\d*$/.test(digits) && digits + fraction !== '' ? `${digits}.${fraction}` : null
}

const isSameAmount = (one: string, other: string): boolean =>
  wholeFromDecimal(one, 6) === wholeFromDecimal(other, 6)

/** Reads an amount as it was typed or copied from the screen, with its currency or without, in the current locale. */
export function readAmount(typed: string, currency = ''): AmountReading {
  const trimmed = typed.trim()
  const hasCurrency = currency !== '' && trimmed.toUpperCase().endsWith(currency.toUpperCase())
  const amount = hasCurrency ? trimmed.slice(0, -currency.length).trimEnd() : trimmed
  const text = amount.replace(plainGroups, '')
  if (text === '') return { kind: 'empty' }
  const decimal = decimalSeparator()
  const group = decimal === '.' ? ',' : '.'
  const own = readAs(text, group, decimal)
  const other = readAs(text, decimal, group)
  if (own !== null && (other === null || isSameAmount(own, other))) return { kind: 'amount', decimal: own }
  const understood = own ?? other
  return understood === null ? { kind: 'wrong' } : { kind: 'ambiguous', decimal: understood }
}

/** Returns decimal text as it is typed in the current locale, so that `readAmount` reads the same without a question. */
export function typedAmount(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  if (fraction === '') return whole
  // Three digits after a separator could be a group.
  return `${whole}${decimalSeparator()}${fraction.length === 3 ? `${fraction}0` : fraction}`
}

/** Returns an amount of money as it is typed in the current locale, without its currency and without trailing zeros. */
export function typedMoney({ millionths }: Money): string {
  const digits = String(millionths).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return typedAmount(digits.slice(0, -6) + (fraction === '' ? '' : `.${fraction}`))
}
