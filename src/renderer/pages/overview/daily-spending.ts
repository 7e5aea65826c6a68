import type { CostDays } from '#shared/bridge/cost'

/** Days shown, today included. */
export const daysShown = 30

const unit = 1_000_000

/** One currency's days as the chart takes them: in units of the currency. */
export interface DailySpending {
  readonly currency: string
  /** Nothing names it. */
  readonly assumed: boolean
  readonly charged: readonly number[]
  readonly estimated: readonly number[]
}

/** What was spent on each day, by currency. Pure. */
export const dailySpending = ({ currencies, starts }: CostDays): readonly DailySpending[] =>
  currencies.map(({ currency, assumed, series }) => {
    const sum = (read: 'charged' | 'estimated'): readonly number[] =>
      Array.from(starts, (_, day) => series.reduce((total, one) => total + (one[read][day] ?? 0), 0)).map(
        (millionths) => millionths / unit,
      )
    return { currency, assumed, charged: sum('charged'), estimated: sum('estimated') }
  })
