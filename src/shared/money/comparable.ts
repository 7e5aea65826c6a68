import type { Cost, CurrencySpending } from '../bridge/cost'

const sum = ({ charged, estimated }: Cost): number => charged + estimated

/** Whether anything is spent in a currency: it runs, or cost something this month. */
const isSpent = ({ month, forecast }: CurrencySpending): boolean =>
  forecast.running > 0 || forecast.total !== 0 || sum(month) !== 0

/**
 * Returns the currencies that an account spends, if none of `compared` is among them. Amounts are never converted, so
 * a limit or a balance in another currency cannot be compared. Empty if they are comparable, or if nothing is spent.
 * Pure.
 */
export function incomparableWith(
  compared: readonly string[],
  currencies: readonly CurrencySpending[],
): readonly string[] {
  const spent = currencies.filter(isSpent).map(({ currency }) => currency)
  return spent.some((currency) => compared.includes(currency)) ? [] : spent
}
