import type { Alert } from '#shared/bridge/alert'
import type { WasteItem } from '#shared/bridge/waste'
import { textOrder } from '#shared/locale'
import { assertNever } from '#shared/assert-never'
import { estimate } from '#shared/money/estimate'
import type { Money } from '#shared/money/money'
import type { AccountWaste } from '../../stores/waste'

export type Attention =
  | { readonly kind: 'alert'; readonly alert: Alert; readonly waste: AccountWaste | null }
  | { readonly kind: 'waste'; readonly waste: AccountWaste }

const daySeconds = 86_400
const faults: readonly string[] = [
  'disk-full',
  'gpu-defect',
  'unreachable',
] satisfies Alert['cause']['kind'][]
/** Returns whether the budget is spent, the balance ends within a day, or a machine has a fault. */
export const isUrgent = ({ cause }: Alert): boolean =>
  faults.includes(cause.kind) ||
  cause.kind === 'budget-reached' ||
  (cause.kind === 'balance-low' && cause.left < daySeconds)

const less = (amount: Money, limit: Money): Money => ({
  ...amount,
  millionths: amount.millionths - limit.millionths,
})
const inMonth = (perHour: Money | null): Money | null => perHour && estimate(perHour).month

/** Returns the cost of a month if nothing is done, or the amount over a budget; null if unknown. */
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
    case 'disk-full':
    case 'gpu-defect':
    case 'unreachable':
      return null
    default:
      return assertNever(cause)
  }
}
const stakeOf = (entry: Attention): Money | null =>
  entry.kind === 'waste' ? entry.waste.perMonth : atStake(entry.alert, entry.waste)
function rankOf(entry: Attention): number {
  if (entry.kind === 'alert' && isUrgent(entry.alert)) return 0
  return stakeOf(entry) === null ? 2 : 1
}

/** Sorts urgent alerts first, then by currency and the money at stake. Unknown amounts come last. */
export function byMoney(all: readonly Attention[]): readonly Attention[] {
  const compare = textOrder()
  return all.toSorted((left, right) => {
    const [leftStake, rightStake] = [stakeOf(left), stakeOf(right)]
    return (
      rankOf(left) - rankOf(right) ||
      compare(leftStake?.currency ?? '', rightStake?.currency ?? '') ||
      (rightStake?.millionths ?? 0) - (leftStake?.millionths ?? 0)
    )
  })
}
