import type { Cost, CostHistory, CurrencySpending } from '../bridge/cost'

/**
 * What an account spends in one currency, in millionths; null where it would be 0 only because the fee of what is billed
 * is unknown, or statements are not all read. Pure.
 */
export function knownSpending(
  { perHour, today, month, lastMonth, forecast }: CurrencySpending,
  history: CostHistory,
) {
  const hasUnpriced = forecast.unpriced > 0
  const isPartial = history === 'partial'
  const known = (millionths: number, isUnknown: boolean): number | null =>
    millionths === 0 && isUnknown ? null : millionths
  const sum = ({ charged, estimated }: Cost): number => charged + estimated
  return {
    perHour: known(perHour, hasUnpriced),
    today: known(sum(today), hasUnpriced || isPartial),
    month: known(sum(month), hasUnpriced || isPartial),
    lastMonth: known(sum(lastMonth), isPartial),
    forecast: known(forecast.total, hasUnpriced || isPartial),
  }
}
