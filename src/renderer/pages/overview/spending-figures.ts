import type { AlertLimits } from '#shared/bridge/alert'
import type { BalanceView } from '#shared/bridge/balance'
import type { Cost, CostHistory, CurrencySpending, SpendingView } from '#shared/bridge/cost'
import { incomparableWith } from '#shared/money/comparable'
import { secondsLeft } from '#shared/money/estimate'
import { knownSpending } from '#shared/money/known-spending'
import { defaultCurrency, type Money } from '#shared/money/money'
import { byBudget } from './account-groups'

/** The month against the budget, in the budget's currency; percentages are whole. */
export interface AgainstBudget {
  readonly budget: Money
  readonly spent: Money
  readonly forecast: Money
  readonly spentPercent: number
  readonly forecastPercent: number
}

/** Figures of an account: amounts by currency, the budget's first; empty if unknown. */
export interface SpendingFigures {
  readonly perHour: readonly Money[]
  readonly month: readonly Money[]
  readonly forecast: readonly Money[]
  readonly lastMonth: readonly Money[]
  /** Part of this month that no statement covers yet, if it is at least 1 %. */
  readonly estimated: readonly Money[]
  readonly assumed: readonly string[]
  /** Number of running resources with an unknown price, which no amount includes. */
  readonly unpriced: number
  /** Number of running resources with an unknown start, which no past amount includes. */
  readonly undated: number
  /** Number of resources that the forecast assumes to keep running. */
  readonly running: number
  readonly against: AgainstBudget | null
  readonly otherThanBudget: readonly string[]
  readonly balance: readonly BalanceLeft[]
}

export interface BalanceLeft {
  readonly money: Money
  /** Seconds that the balance lasts at the present rate. Null: no spending; 'unknown': a price or currency is unknown. */
  readonly left: number | 'unknown' | null
}

const sum = ({ charged, estimated }: Cost): number => charged + estimated

/** Returns the assumed currencies of the amounts, or the default currency if there are no amounts. */
export const assumedIn = ({ currencies }: SpendingView, budget: Money | null): readonly string[] =>
  currencies.length === 0 && budget === null
    ? [defaultCurrency]
    : currencies.flatMap(({ assumed, currency }) => (assumed ? [currency] : []))

/** Computes the overview's figures of an account. Pure. */
export function spendingFigures(
  view: SpendingView,
  { budget }: Pick<AlertLimits, 'budget'>,
  balance: BalanceView | null,
): SpendingFigures {
  const currencies = byBudget(view.currencies, budget)
  const otherThanBudget = budget ? incomparableWith([budget.currency], currencies) : []
  const nothing: Money = { currency: budget?.currency ?? defaultCurrency, millionths: 0 }
  const known = currencies.map((spending) => ({
    ...knownSpending(spending, view.history),
    currency: spending.currency,
  }))
  /** Returns the non-zero amounts; a single zero if all are zero; empty if one is unknown. */
  const amountsOf = (key: 'perHour' | 'month' | 'lastMonth' | 'forecast'): readonly Money[] => {
    const amounts = known.map((figures) => ({ currency: figures.currency, millionths: figures[key] }))
    const [first = nothing] = amounts
    const spent = amounts.flatMap(({ currency, millionths }) =>
      millionths === null || millionths === 0 ? [] : [{ currency, millionths }],
    )
    if (spent.length > 0) return spent
    return amounts.some(({ millionths }) => millionths === null)
      ? []
      : [{ currency: first.currency, millionths: 0 }]
  }
  const count = (key: 'unpriced' | 'undated' | 'running'): number =>
    currencies.reduce((total, { forecast }) => total + forecast[key], 0)
  return {
    perHour: amountsOf('perHour'),
    month: amountsOf('month'),
    forecast: amountsOf('forecast'),
    lastMonth: amountsOf('lastMonth'),
    estimated: currencies.flatMap(({ currency, month }) =>
      month.estimated !== 0 && month.estimated * 100 >= sum(month)
        ? [{ currency, millionths: month.estimated }]
        : [],
    ),
    assumed: assumedIn(view, budget),
    unpriced: count('unpriced'),
    undated: count('undated'),
    running: count('running'),
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

/** Returns the month against the budget; null if the spending or the forecast is unknown. */
function againstBudget(
  currencies: readonly CurrencySpending[],
  budget: Money,
  history: CostHistory,
): AgainstBudget | null {
  const spending = currencies.find(({ currency }) => currency === budget.currency)
  const known = spending ? knownSpending(spending, history) : { month: 0, forecast: 0 }
  if (known.month === null || known.forecast === null) return null
  const spent = { ...budget, millionths: known.month }
  const forecast = { ...budget, millionths: known.forecast }
  const percent = ({ millionths }: Money): number => Math.round((millionths / budget.millionths) * 100)
  return { budget, spent, forecast, spentPercent: percent(spent), forecastPercent: percent(forecast) }
}
