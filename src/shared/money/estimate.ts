import { type Money, timesMoney } from './money'

export interface Estimate {
  readonly hour: Money
  readonly day: Money
  /** 30 days. */
  readonly month: Money
}

/** Returns the cost of continuous use, by its price per hour. */
export const estimate = (hour: Money): Estimate => ({
  hour,
  day: timesMoney(hour, 24),
  month: timesMoney(hour, 24 * 30),
})

/** Seconds that an amount lasts at a rate per hour of the same currency; null where nothing is spent. */
export const secondsLeft = (balance: Money, perHour: Money): number | null =>
  perHour.millionths > 0 && perHour.currency === balance.currency
    ? Math.max(0, (balance.millionths / perHour.millionths) * 3_600)
    : null
