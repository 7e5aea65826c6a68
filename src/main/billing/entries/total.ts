import type { Amount, BillingTotal } from '#shared/bridge/billing'

type Sum = Pick<BillingTotal, 'entries' | 'amounts' | 'unreadable'>

/** Sums amounts entry by entry. Amounts in an assumed currency have a sum of their own. */
export function createTotal() {
  const sums = new Map<string, Amount>()
  let entries = 0
  let unreadable = 0
  return {
    /** Adds `count` entries with this amount together; null: the amount is no exact number. */
    add(amount: Amount | null, count = 1): void {
      entries += count
      if (amount === null) {
        unreadable += count
        return
      }
      const { currency, millionths } = amount.money
      const key = `${currency} ${amount.assumed ? 'assumed' : 'reported'}`
      const before = sums.get(key)?.money.millionths ?? 0
      sums.set(key, { money: { currency, millionths: before + millionths }, assumed: amount.assumed })
    },
    /** Returns the sums, the largest first. */
    sum: (): Sum => ({
      entries,
      amounts: [...sums.values()].toSorted((one, other) => other.money.millionths - one.money.millionths),
      unreadable,
    }),
  }
}
