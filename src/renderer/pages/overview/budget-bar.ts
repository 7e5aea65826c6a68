/** A month against its budget, as shares (0 to 1) of the bar's width. */
export interface BudgetShares {
  readonly spent: number
  /** Where the forecast ends. */
  readonly forecast: number
  /** Where the budget ends. */
  readonly budget: number
  /** Where spending evenly over the month would be now. */
  readonly even: number
}

/** The bar is as long as the largest of what it shows. Amounts in one currency; `passed` is the share of the month. */
export function budgetShares(spent: number, forecast: number, budget: number, passed: number): BudgetShares {
  const whole = Math.max(spent, forecast, budget, 1)
  const share = (amount: number): number => Math.min(1, Math.max(0, amount / whole))
  return {
    spent: share(spent),
    forecast: share(Math.max(spent, forecast)),
    budget: share(budget),
    even: share(budget * Math.min(1, Math.max(0, passed))),
  }
}
