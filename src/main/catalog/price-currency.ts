import type { AccountCurrency } from '#shared/bridge/cost'
import type { Money } from '#shared/money/money'

/** What is known about the currency of an account. */
interface CurrencySources {
  readonly setting: AccountCurrency
  /** What the account has left, where its service reports it. */
  readonly balance: readonly Money[]
  /** What it is charged in. */
  readonly charged: readonly { readonly currency: string; readonly assumed: boolean }[]
}

export interface PriceCurrency {
  readonly currency: string
  /** Nothing names it. */
  readonly assumed: boolean
}

const onlyOne = (currencies: readonly string[]): string | null => {
  const [first, ...others] = new Set(currencies)
  return first !== undefined && others.length === 0 ? first : null
}

/**
 * The currency of prices that name none (api-spec.md §2): the person's choice, else the one of the balance, else the one
 * that every charge names, else the setting's default as an assumption. Pure.
 */
export function priceCurrency({ setting, balance, charged }: CurrencySources): PriceCurrency {
  if (setting.chosen) return { currency: setting.currency, assumed: false }
  const ofCharges = charged.some(({ assumed }) => assumed) ? [] : charged.map(({ currency }) => currency)
  const known = onlyOne(balance.map(({ currency }) => currency)) ?? onlyOne(ofCharges)
  return known === null ? { currency: setting.currency, assumed: true } : { currency: known, assumed: false }
}
