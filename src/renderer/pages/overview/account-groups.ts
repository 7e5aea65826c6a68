import type { AccountView } from '#shared/bridge/account'
import type { CurrencySpending, SpendingView } from '#shared/bridge/cost'
import { type Money, sumByCurrency } from '#shared/money/money'

/** Sorts sandbox accounts last: their money is never mixed with real money. */
export const inOrder = (accounts: readonly AccountView[]): readonly AccountView[] =>
  accounts.toSorted((left, right) => Number(left.sandbox) - Number(right.sandbox))

/** Returns the spending per hour of all real accounts, by currency; empty if there are fewer than two. */
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

export const byBudget = (
  currencies: readonly CurrencySpending[],
  budget: Money | null,
): readonly CurrencySpending[] =>
  currencies.toSorted(
    (left, right) => Number(right.currency === budget?.currency) - Number(left.currency === budget?.currency),
  )
