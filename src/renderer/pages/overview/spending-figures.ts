import type { AlertLimits } from '#shared/bridge/alert'
import type { BalanceView } from '#shared/bridge/balance'
import type { Cost, CostHistory, CurrencySpending, SpendingView } from '#shared/bridge/cost'
import { incomparableWith } from '#shared/money/comparable'
import { secondsLeft } from '#shared/money/estimate'
import { knownSpending } from '#shared/money/known-spending'
import { defaultCurrency, type Money } from '#shared/money/money'
import { byBudget } from './account-groups'

/** The month against the budget, in the budget's currency; percents are whole. */
export interface AgainstBudget {
  readonly budget: Money
  readonly spent: Money
  readonly forecast: Money
  readonly spentPercent: number
  readonly forecastPercent: number
}

/** What the overview says of one account: the amounts of each currency, the budget's first; none where it is unknown. */
export interface SpendingFigures {
  readonly perHour: readonly Money[]
  readonly month: readonly Money[]
  readonly forecast: readonly Money[]
  readonly lastMonth: readonly Money[]
  /** Of the month so far, what no statement covers yet, where that is 1 % of it or more. */
  readonly estimated: readonly Money[]
  /** Assumed currencies. */
  readonly assumed: readonly string[]
  /** How many resources run at an unknown price, which no amount includes. */
  readonly unpriced: number
  /** How many resources run since an unknown time, so that no amount of the past includes them. */
  readonly undated: number
  /** How many resources the forecast takes to stay. */
  readonly running: number
  readonly against: AgainstBudget | null
  /** Currencies of spending that the budget can't be compared with; empty if it can, or there is none. */
  readonly otherThanBudget: readonly string[]
  readonly balance: readonly BalanceLeft[]
}

/** Seconds that a balance lasts at the present rate. Null: nothing is spent of it; `unknown`: a price or its currency is. */
export interface BalanceLeft {
  readonly money: Money
  readonly left: number | 'unknown' | null
}

const sum = ({ charged, estimated }: Cost): number => charged + estimated

/** Currencies that nothing names: of the amounts, or without any, of nothing. */
export const assumedIn = ({ currencies }: SpendingView, budget: Money | null): readonly string[] =>
  currencies.length === 0 && budget === null
    ? [defaultCurrency]
    : currencies.flatMap(({ assumed, currency }) => (assumed ? [currency] : []))

/** Pure. */
export function spendingFigures(
  view: SpendingView,
  { budget }: Pick<AlertLimits, 'budget'>,
  balance: BalanceView | null,
): SpendingFigures {
  const currencies = byBudget(view.currencies, budget)
  const otherThanBudget = budget ? incomparableWith([budget.currency], currencies) : []
  const nothing: Money = { currency: budget?.currency ?? defaultCurrency, millionths: 0 }
  const each = (read: (one: CurrencySpending) => number): readonly Money[] =>
    currencies.map((one) => ({ currency: one.currency, millionths: read(one) }))
  const some = (amounts: readonly Money[]): readonly Money[] =>
    amounts.filter(({ millionths }) => millionths !== 0)
  const known = currencies.map((one) => ({ ...knownSpending(one, view.history), currency: one.currency }))
  /** Something is always said where it is known, if only that it is nothing. */
  const shown = (which: 'perHour' | 'month' | 'lastMonth' | 'forecast'): readonly Money[] => {
    const amounts = known.map((one) => ({ currency: one.currency, millionths: one[which] }))
    const [first = nothing] = amounts
    const spent = amounts.flatMap(({ currency, millionths }) =>
      millionths === null || millionths === 0 ? [] : [{ currency, millionths }],
    )
    if (spent.length > 0) return spent
    return amounts.some(({ millionths }) => millionths === null)
      ? []
      : [{ currency: first.currency, millionths: 0 }]
  }
  return {
    perHour: shown('perHour'),
    month: shown('month'),
    forecast: shown('forecast'),
    lastMonth: shown('lastMonth'),
    estimated: some(each(({ month }) => (month.estimated * 100 >= sum(month) ? month.estimated : 0))),
    assumed: assumedIn(view, budget),
    unpriced: currencies.reduce((total, one) => total + one.forecast.unpriced, 0),
    undated: currencies.reduce((total, one) => total + one.forecast.undated, 0),
    running: currencies.reduce((total, one) => total + one.forecast.running, 0),
    against: budget && otherThanBudget.length === 0 ? againstBudget(currencies, budget, view.history) : null,
    otherThanBudget,
    balance: balancesLeft(balance?.available ?? [], currencies),
  }
}

function balancesLeft(
  available: readonly Money[],
  currencies: readonly CurrencySpending[],
): readonly BalanceLeft[] {
  const others = incomparableWith(
    available.map(({ currency }) => currency),
    currencies,
  )
  return available.map((money) => {
    const spent = currencies.find(({ currency }) => currency === money.currency)
    const left = secondsLeft(money, { ...money, millionths: spent?.perHour ?? 0 })
    const isUnknown = left === null && (others.length > 0 || (spent?.forecast.unpriced ?? 0) > 0)
    return { money, left: isUnknown ? 'unknown' : left }
  })
}

/** Returns the month against the budget; null if what was spent or the forecast is unknown. */
function againstBudget(
  currencies: readonly CurrencySpending[],
  budget: Money,
  history: CostHistory,
): AgainstBudget | null {
  const found = currencies.find(({ currency }) => currency === budget.currency)
  const known = found ? knownSpending(found, history) : { month: 0, forecast: 0 }
  if (known.month === null || known.forecast === null) return null
  const spent = { ...budget, millionths: known.month }
  const forecast = { ...budget, millionths: known.forecast }
  const percent = ({ millionths }: Money): number => Math.round((millionths / budget.millionths) * 100)
  return { budget, spent, forecast, spentPercent: percent(spent), forecastPercent: percent(forecast) }
}
