import type { AlertCause, AlertLimits } from '#shared/bridge/alert'
import type { BalanceView } from '#shared/bridge/balance'
import type { SpendingView } from '#shared/bridge/cost'
import type { MachineView } from '#shared/bridge/fleet'
import { secondsLeft } from '#shared/money/burn'
import type { Money } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import type { FoundAlert } from './episodes'

/** What one machine costs, as far as it is known. */
export interface MachineCost {
  readonly perHour: Money | null
  /** Since it was created. */
  readonly cost: Money | null
}

/** The month that a moment (epoch seconds) lies in, as YYYY-MM. */
function monthOf(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', timeZone }).formatToParts(
    at * 1000,
  )
  const part = (type: 'year' | 'month') => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}`
}

/** A forecast that was over the budget is under it again at 99 % of it: one that trembles there is told once. */
const forecastSlack = 0.99

/**
 * What the spending says against the limits. Only amounts in a limit's own currency count. `stands` tells whether the
 * person has been told of a cause already. Pure.
 */
export function spendingAlerts(
  { currencies, monthStart, timeZone }: SpendingView,
  { budget, perHour: limit }: AlertLimits,
  stands: (cause: AlertCause) => boolean,
): readonly FoundAlert[] {
  const found: FoundAlert[] = []
  const inBudget = currencies.find(({ currency }) => currency === budget?.currency)
  if (budget && inBudget) {
    const spent = { ...budget, millionths: inBudget.month.charged + inBudget.month.estimated }
    const forecast = { ...budget, millionths: inBudget.forecast.total }
    const month = monthOf(monthStart, timeZone)
    const ahead: AlertCause = { kind: 'budget-forecast', month, forecast, budget }
    if (spent.millionths >= budget.millionths)
      found.push({ cause: { kind: 'budget-reached', month, spent, budget } })
    else if (forecast.millionths > budget.millionths * (stands(ahead) ? forecastSlack : 1))
      found.push({ cause: ahead })
  }
  const inLimit = currencies.find(({ currency }) => currency === limit?.currency)
  if (limit && inLimit && inLimit.perHour > limit.millionths) {
    const perHour = { ...limit, millionths: inLimit.perHour }
    found.push({ cause: { kind: 'hourly-limit', perHour, limit } })
  }
  return found
}

/** The machines that have run for longer than the limit, at `now` (epoch seconds), each since it was started. Pure. */
export function machineAlerts(
  machines: readonly MachineView[],
  { runningHours: hours }: AlertLimits,
  costOf: (machine: string) => MachineCost,
  now: number,
): readonly FoundAlert[] {
  if (hours === null) return []
  return machines.flatMap(({ id, name, status, startedAt }): FoundAlert[] => {
    if (startedAt === null || machineState(status) !== 'running' || now - startedAt < hours * 3_600) return []
    return [{ cause: { kind: 'long-running', machine: id, name, hours, ...costOf(id) }, since: startedAt }]
  })
}

/** The balances that will be used up within the limit at the present rate. Pure. */
export function balanceAlerts(
  { available }: BalanceView,
  { currencies }: SpendingView,
  { balanceDays: days }: AlertLimits,
): readonly FoundAlert[] {
  if (days === null) return []
  return available.flatMap((balance): FoundAlert[] => {
    const rate = currencies.find(({ currency }) => currency === balance.currency)?.perHour ?? 0
    const perHour = { ...balance, millionths: rate }
    const left = secondsLeft(balance, perHour)
    return left === null || left > days * 86_400
      ? []
      : [{ cause: { kind: 'balance-low', balance, perHour, left, days } }]
  })
}
