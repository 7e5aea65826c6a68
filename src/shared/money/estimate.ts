import { type Money, timesMoney } from './money'

export interface Estimate {
  readonly hour: Money
  readonly day: Money
  /** 30 days. */
  readonly month: Money
}

/** What something costs that runs without a break, by its price per hour. */
export const estimate = (hour: Money): Estimate => ({
  hour,
  day: timesMoney(hour, 24),
  month: timesMoney(hour, 24 * 30),
})
