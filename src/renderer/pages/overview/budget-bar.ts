/** A month against its budget, as shares (0 to 1) of the bar's width. */
export interface BudgetShares {
  readonly spent: number
  readonly forecast: number
  readonly budget: number
  /** Even spending over the month until now. */
  readonly even: number
}

/** Scales amounts of one currency so that the largest fills the bar. `elapsed`: share of the month, 0 to 1. */
export function budgetShares(spent: number, forecast: number, budget: number, elapsed: number): BudgetShares {
  const whole = Math.max(spent, forecast, budget, 1)
  const share = (amount: number): number => Math.min(1, Math.max(0, amount / whole))
  return {
    spent: share(spent),
    forecast: share(Math.max(spent, forecast)),
    budget: share(budget),
    even: share(budget * Math.min(1, Math.max(0, elapsed))),
  }
}
