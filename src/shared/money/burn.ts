import type { Money } from './money'

/** Seconds that an amount lasts at a rate per hour of the same currency; null where nothing is spent. */
export const secondsLeft = (balance: Money, perHour: Money): number | null =>
  perHour.millionths > 0 && perHour.currency === balance.currency
    ? Math.max(0, (balance.millionths / perHour.millionths) * 3_600)
    : null
