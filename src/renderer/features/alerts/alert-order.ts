import type { Alert } from '#shared/bridge/alert'
import type { WasteItem } from '#shared/bridge/waste'
import { textOrder } from '#shared/locale'
import { assertNever } from '#shared/assert-never'
import { estimate } from '#shared/money/estimate'
import type { Money } from '#shared/money/money'
import type { AccountWaste } from '../../stores/waste'

/** Something that wants to be looked at: an alert, or waste that has none. */
export type Attention =
  | { readonly kind: 'alert'; readonly alert: Alert; readonly waste: AccountWaste | null }
  | { readonly kind: 'waste'; readonly waste: AccountWaste }

/** Whether money is gone already, not only at risk. */
export const isUrgent = ({ cause }: Alert): boolean =>
  cause.kind === 'budget-reached' || (cause.kind === 'balance-low' && cause.left < 86_400)

const less = (amount: Money, limit: Money): Money => ({
  ...amount,
  millionths: amount.millionths - limit.millionths,
})
const inMonth = (perHour: Money | null): Money | null => perHour && estimate(perHour).month

/** What it costs in a month if it is left; of a budget, what is over it. Null: unknown. */
function atStake({ cause }: Alert, waste: WasteItem | null): Money | null {
  switch (cause.kind) {
    case 'budget-reached':
      return less(cause.spent, cause.budget)
    case 'budget-forecast':
      return less(cause.forecast, cause.budget)
    case 'hourly-limit':
      return inMonth(less(cause.perHour, cause.limit))
    case 'long-running':
    case 'balance-low':
      return inMonth(cause.perHour)
    case 'idle':
      return waste?.perMonth ?? null
    default:
      return assertNever(cause)
  }
}
const stakeOf = (one: Attention): Money | null =>
  one.kind === 'waste' ? one.waste.perMonth : atStake(one.alert, one.waste)
const rankOf = (one: Attention): number =>
  one.kind === 'alert' && isUrgent(one.alert) ? 0 : stakeOf(one) === null ? 2 : 1

/** The urgent first, then by the money at stake, currency by currency; what is unknown last. Pure. */
export function byMoney(all: readonly Attention[]): readonly Attention[] {
  const compare = textOrder()
  return all.toSorted((one, other) => {
    const [left, right] = [stakeOf(one), stakeOf(other)]
    return (
      rankOf(one) - rankOf(other) ||
      compare(left?.currency ?? '', right?.currency ?? '') ||
      (right?.millionths ?? 0) - (left?.millionths ?? 0)
    )
  })
}
