import type { AccountView } from '#shared/bridge/account'
import type { CurrencySpending, SpendingView } from '#shared/bridge/cost'
import { type Money, sumByCurrency } from '#shared/money/money'

/** Own accounts first: the sandbox's money stands apart from real money, and is never added to it. */
export const inOrder = (accounts: readonly AccountView[]): readonly AccountView[] =>
  accounts.toSorted((one, other) => Number(one.sandbox) - Number(other.sandbox))

/** What all own accounts spend per hour, by currency; empty where that is one account or less. */
export function ownPerHour(
  accounts: readonly AccountView[],
  views: ReadonlyMap<string, SpendingView>,
): readonly Money[] {
  const own = accounts.flatMap(({ id, sandbox }) => {
    const view = sandbox ? undefined : views.get(id)
    return view && view.usageAsOf !== null ? [view] : []
  })
  if (own.length < 2) return []
  return sumByCurrency(
    own
      .flatMap(({ currencies }) =>
        currencies.map(({ currency, perHour }) => ({ currency, millionths: perHour })),
      )
      .filter(({ millionths }) => millionths !== 0),
  )
}

/** The currencies to show large and small: the one of the budget first, then as they come. */
export const byBudget = (
  currencies: readonly CurrencySpending[],
  budget: Money | null,
): readonly CurrencySpending[] =>
  currencies.toSorted(
    (one, other) => Number(other.currency === budget?.currency) - Number(one.currency === budget?.currency),
  )
