import type { Cost, CostHistory, CurrencySpending } from '../bridge/cost'

/**
 * Returns what an account spends in one currency, in millionths. An amount is null if it is 0 only because a fee or a
 * start is unknown, or because statements are not all read. Pure.
 */
export function knownSpending(
  { perHour, today, month, lastMonth, forecast }: CurrencySpending,
  history: CostHistory,
) {
  const hasUnpriced = forecast.unpriced > 0
  const hasUndated = forecast.undated > 0
  const isPartial = history === 'partial'
  const known = (millionths: number, isUnknown: boolean): number | null =>
    millionths === 0 && isUnknown ? null : millionths
  const sum = ({ charged, estimated }: Cost): number => charged + estimated
  const isPastUnknown = hasUnpriced || hasUndated || isPartial
  const isMonthUnknown = hasUndated && sum(month) === 0
  return {
    perHour: known(perHour, hasUnpriced),
    today: known(sum(today), isPastUnknown),
    month: known(sum(month), isPastUnknown),
    lastMonth: known(sum(lastMonth), hasUndated || isPartial),
    forecast: isMonthUnknown ? null : known(forecast.total, hasUnpriced || isPartial),
  }
}
