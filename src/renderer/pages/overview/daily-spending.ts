import type { CostDays } from '#shared/bridge/cost'

/** Number of days in the chart, including today. */
export const daysShown = 30

const millionthsPerUnit = 1_000_000

/** Daily spending in one currency, in units of the currency. */
export interface DailySpending {
  readonly currency: string
  /** The service does not report the currency. */
  readonly assumed: boolean
  readonly charged: readonly number[]
  readonly estimated: readonly number[]
}

export const dailySpending = ({ currencies, starts }: CostDays): readonly DailySpending[] =>
  currencies.map(({ currency, assumed, series }) => {
    const sum = (key: 'charged' | 'estimated'): readonly number[] =>
      Array.from(
        starts,
        (_, day) => series.reduce((total, values) => total + (values[key][day] ?? 0), 0) / millionthsPerUnit,
      )
    return { currency, assumed, charged: sum('charged'), estimated: sum('estimated') }
  })
