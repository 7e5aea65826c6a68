import type { Cost, CurrencySpending } from '#shared/bridge/cost'
import { feeFor, perHour, type FeePerMinute } from '#shared/money/fee'
import { bareMetalType } from '#shared/service/billing'
import type { CostBook, Running } from './cost-book'
import type { Moments } from './periods'
import { type Amounts, sumByGroup } from './sum-by-group'

const nothing: Amounts = {
  charged: new Float64Array(4),
  estimated: new Float64Array(4),
  ahead: new Float64Array(4),
}

const between = (values: Amounts['charged'], from: number, until: number): number =>
  values.slice(from, until).reduce((sum, value) => sum + value, 0)

const costOf = ({ charged, estimated }: Amounts, from: number, until: number): Cost => ({
  charged: between(charged, from, until),
  estimated: between(estimated, from, until),
})

const feesOf = (running: readonly Running[]): readonly FeePerMinute[] =>
  running.flatMap(({ fee }) => (fee === null ? [] : [fee]))

/** Returns the cost of everything that runs, from the end of its covered time to `end`. */
const untilEnd = (running: readonly Running[], end: number): number =>
  running.reduce((sum, { fee, from, until }) => {
    const seconds = Math.floor(Math.min(end, until ?? end)) - Math.floor(from)
    return fee === null || seconds <= 0 ? sum : sum + feeFor(fee, seconds)
  }, 0)

/** Returns the spending of an account by currency, the currency with the highest hourly rate first. */
export function spendingOf(
  book: CostBook,
  { lastMonth, month, today, tomorrow, nextMonth }: Moments,
): CurrencySpending[] {
  const rows = sumByGroup(book, [lastMonth, month, today, tomorrow, nextMonth], () => 0)
  const currencyOf = ({ currency }: Running) => book.currencies[currency]
  const names = new Set([
    ...rows.map(({ currency }) => currency),
    ...book.running.flatMap((one) => currencyOf(one)?.currency ?? []),
  ])
  const all = [...names].map((currency): CurrencySpending => {
    const row = rows.find((one) => one.currency === currency)
    const amounts = row ?? nothing
    const running = book.running.filter((one) => currencyOf(one)?.currency === currency)
    const hourly = perHour(feesOf(running))
    const soFar = costOf(amounts, 1, 4)
    const rest = between(amounts.ahead, 1, 4) + untilEnd(running, nextMonth)
    return {
      currency,
      assumed: (row?.assumed ?? false) || running.some((one) => currencyOf(one)?.assumed ?? false),
      perHour: hourly,
      today: costOf(amounts, 2, 3),
      month: soFar,
      lastMonth: costOf(amounts, 0, 1),
      forecast: {
        total: soFar.charged + soFar.estimated + rest,
        rest,
        running: running.length,
        perHour: hourly,
        unpriced: running.filter(({ fee }) => fee === null).length,
        undated: running.filter(({ fee, undated }) => fee !== null && undated).length,
      },
    }
  })
  return all.sort((left, right) => right.perHour - left.perHour || right.forecast.total - left.forecast.total)
}

/** Counts the machines, bare metal, volumes and other resources that are charged now. */
export function countRunning({ running, resources }: CostBook) {
  const ids = new Set(running.map(({ resource }) => resource))
  const types = [...ids].map((resource) => resources[resource]?.type)
  const machines = types.filter((type) => type === 'vm').length
  const bareMetal = types.filter((type) => type === bareMetalType).length
  const volumes = types.filter((type) => type === 'volume').length
  return { machines, bareMetal, volumes, others: ids.size - machines - bareMetal - volumes }
}
