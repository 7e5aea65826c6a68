import type { WasteTotal } from '../bridge/waste'
import { formatMoney, formatRate } from '../money/format-money'
import type { TranslatePath } from './failure-text'

/** Returns "Waste: 11.20 USD/h, 4,180.00 USD so far", with all currencies, for the window and the tray. */
export function wasteTotalText(totals: readonly WasteTotal[], translate: TranslatePath): string {
  if (totals.length === 0) return translate('waste.totalUnknown')
  const perHour = totals
    .map((total) => translate('waste.perHour', { amount: formatRate(total.perHour) }))
    .join(' + ')
  const known = totals.flatMap(({ soFar }) => soFar ?? [])
  return known.length === 0
    ? translate('waste.totalRate', { perHour })
    : translate('waste.total', { perHour, soFar: known.map((money) => formatMoney(money)).join(' + ') })
}
