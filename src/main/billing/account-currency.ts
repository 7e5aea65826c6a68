import { defaultCurrency } from '#shared/money/money'

/** Sources that name the currency of an account. */
export interface CurrencySources {
  /** The user's choice; null: none. */
  readonly chosen: string | null
  /** Currencies that the account has a balance in, if its service reports one. */
  readonly balance: readonly string[]
  /** Currencies that statements and usage carry. */
  readonly reported: readonly string[]
}

/** Currency of amounts and prices that name none. `assumed`: no source names it. */
export interface DecidedCurrency {
  readonly currency: string
  readonly assumed: boolean
}

const onlyOne = (currencies: readonly string[]): string | null => {
  const [first, ...others] = new Set(currencies)
  return first !== undefined && others.length === 0 ? first : null
}

/**
 * Decides the currency of an account (api-spec.md §2 has no field for it): the user's choice; else the only currency
 * of the balance; else the only currency of amounts; else the default. Pure.
 */
export function accountCurrency({ chosen, balance, reported }: CurrencySources): DecidedCurrency {
  const known = chosen ?? onlyOne(balance) ?? onlyOne(reported)
  return { currency: known ?? defaultCurrency, assumed: known === null }
}
