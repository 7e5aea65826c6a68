import type { AccountId } from '#shared/bridge/account'
import type {
  CostDays,
  CostResource,
  CostSeries,
  CurrencySpending,
  GpuCost,
  SpendingView,
} from '#shared/bridge/cost'
import { addMonths } from '#shared/money/calendar'
import type { Spending } from '../../spending-views'

type Costs = Pick<Spending, 'requireView' | 'days' | 'resources' | 'gpus'>

/** Resource with its cost in the month, in millionths. */
interface ReportedResource {
  readonly resource: CostResource
  readonly cost: number
  readonly seconds: number
}

/** Contents of the page about one currency. Amounts are millionths. */
export interface ReportedCurrency {
  readonly currency: string
  readonly assumed: boolean
  readonly charged: number
  readonly estimated: number
  /** One value per day. */
  readonly days: { readonly charged: readonly number[]; readonly estimated: readonly number[] }
  readonly types: readonly CostSeries[]
  readonly gpus: readonly GpuCost[]
  /** The most expensive first. */
  readonly top: readonly ReportedResource[]
  readonly more: { readonly count: number; readonly cost: number }
  /** Null if the month is over. */
  readonly forecast: CurrencySpending['forecast'] | null
}

/** Contents of the page about a month, except its words. Times are epoch seconds. */
export interface MonthReport {
  readonly account: string
  readonly sandbox: boolean
  /** The first day of the month: YYYY-MM-01. */
  readonly month: string
  readonly timeZone: string
  readonly asOf: number
  readonly history: SpendingView['history']
  readonly starts: readonly number[]
  readonly currencies: readonly ReportedCurrency[]
}

const topCount = 10

const daysOf = (series: readonly CostSeries[], read: 'charged' | 'estimated', count: number) =>
  Array.from({ length: count }, (_, day) => series.reduce((sum, one) => sum + (one[read][day] ?? 0), 0))
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const seriesOf = (days: CostDays, currency: string): readonly CostSeries[] =>
  days.currencies.filter((one) => one.currency === currency).flatMap(({ series }) => series)

/** Collects the costs of a month. `month` is 1 to 12. Fails with invalid-input (account). */
export async function gatherMonth(
  costs: Costs,
  account: AccountId,
  label: string,
  year: number,
  month: number,
): Promise<MonthReport> {
  const from = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
  const period = { from, until: addMonths(from, 1) }
  const asked = { account, ...period, unit: 'day' as const, limit: 8 }
  const spending = costs.requireView(account)
  const [total, types, resources, gpus] = await Promise.all([
    costs.days({ ...asked, by: 'total' }),
    costs.days({ ...asked, by: 'type' }),
    costs.resources({ account, period, only: null, limit: null }),
    costs.gpus({ account, period }),
  ])
  const isNow = (total.starts[0] ?? 0) === spending.monthStart
  const currencies = total.currencies.map(({ currency, assumed, series }): ReportedCurrency => {
    const charged = daysOf(series, 'charged', total.starts.length)
    const estimated = daysOf(series, 'estimated', total.starts.length)
    const items = resources.items
      .filter((item) => item.currency === currency)
      .map(({ resource, period: cost, seconds }) => ({
        resource,
        cost: cost.charged + cost.estimated,
        seconds,
      }))
    const rest = items.slice(topCount)
    return {
      currency,
      assumed,
      charged: sum(charged),
      estimated: sum(estimated),
      days: { charged, estimated },
      types: seriesOf(types, currency),
      gpus: gpus.items.filter((item) => item.currency === currency),
      top: items.slice(0, topCount),
      more: { count: rest.length, cost: sum(rest.map(({ cost }) => cost)) },
      forecast: isNow
        ? (spending.currencies.find((one) => one.currency === currency)?.forecast ?? null)
        : null,
    }
  })
  return {
    account: label,
    sandbox: spending.sandbox,
    month: from,
    timeZone: total.timeZone,
    asOf: total.asOf,
    history: total.history,
    starts: [...total.starts],
    currencies,
  }
}
