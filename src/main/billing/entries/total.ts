import type { Amount, BillingTotal } from '#shared/bridge/billing'

type Sum = Pick<BillingTotal, 'entries' | 'amounts' | 'unreadable'>

/** Adds up amounts entry by entry. An amount whose currency is assumed is in a sum of its own. */
export function createTotal() {
  const sums = new Map<string, Amount>()
  let entries = 0
  let unreadable = 0
  return {
    /** `count` entries that come to this amount; null where it is no exact number. */
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
    /** The largest first. */
    sum: (): Sum => ({
      entries,
      amounts: [...sums.values()].toSorted((one, other) => other.money.millionths - one.money.millionths),
      unreadable,
    }),
  }
}
