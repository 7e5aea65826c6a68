import type { AlertCause, AlertLimits } from '#shared/bridge/alert'
import type { BalanceView } from '#shared/bridge/balance'
import type { SpendingView } from '#shared/bridge/cost'
import type { MachineView } from '#shared/bridge/fleet'
import { secondsLeft } from '#shared/money/estimate'
import type { Money } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import { calendarIn } from '#shared/money/calendar'
import type { FoundAlert } from './episodes'

export interface MachineCost {
  readonly perHour: Money | null
  /** Since the machine was created. */
  readonly cost: Money | null
}

/** Returns the month of a time (epoch seconds) as YYYY-MM. */
const monthOf = (at: number, timeZone: string): string => calendarIn(timeZone).dateAt(at).slice(0, 7)

/** Part of the budget below which its alert ends, so that an amount near the budget notifies once. */
const hysteresis = 0.99

/** Compares the month with the budget in the budget's currency. `stands`: whether a cause already has an alert. Pure. */
export function budgetAlerts(
  { currencies, monthStart, timeZone }: SpendingView,
  { budget }: AlertLimits,
  stands: (cause: AlertCause) => boolean,
): readonly FoundAlert[] {
  const spending = currencies.find(({ currency }) => currency === budget?.currency)
  if (!budget || !spending) return []
  const month = monthOf(monthStart, timeZone)
  const spent = { ...budget, millionths: spending.month.charged + spending.month.estimated }
  const reached: AlertCause = { kind: 'budget-reached', month, spent, budget }
  if (spent.millionths >= budget.millionths * (stands(reached) ? hysteresis : 1)) return [{ cause: reached }]
  const forecast = { ...budget, millionths: spending.forecast.total }
  const cause: AlertCause = { kind: 'budget-forecast', month, forecast, budget }
  return forecast.millionths > budget.millionths * (stands(cause) ? hysteresis : 1) ? [{ cause }] : []
}

/** Compares the spending per hour with the limit in the limit's currency. Pure. */
export function rateAlerts(
  { currencies }: SpendingView,
  { perHour: limit }: AlertLimits,
): readonly FoundAlert[] {
  const rate = currencies.find(({ currency }) => currency === limit?.currency)?.perHour ?? 0
  if (!limit || rate <= limit.millionths) return []
  return [{ cause: { kind: 'hourly-limit', perHour: { ...limit, millionths: rate }, limit } }]
}

/**
 * Returns the machines that have run longer than the limit at `now` (epoch seconds). A machine in transition, such as a
 * reboot, stays in the list if it had an alert (`stands`). Pure.
 */
export const longRunning = (
  machines: readonly MachineView[],
  { runningHours: hours }: AlertLimits,
  now: number,
  stands: (machine: string, hours: number) => boolean,
): readonly MachineView[] =>
  machines.filter(({ id, status, startedAt }) => {
    if (hours === null) return false
    const state = machineState(status)
    if (state === 'moving') return stands(id, hours)
    return state === 'running' && startedAt !== null && now - startedAt >= hours * 3_600
  })

export const machineAlerts = (
  machines: readonly MachineView[],
  { runningHours: hours }: AlertLimits,
  costOf: (machine: string) => MachineCost | undefined,
): readonly FoundAlert[] =>
  machines.flatMap(({ id: machine, name, startedAt }): FoundAlert[] => {
    if (hours === null) return []
    const { perHour, cost } = costOf(machine) ?? { perHour: null, cost: null }
    const cause = { kind: 'long-running', machine, name, hours, perHour, cost } as const
    return [startedAt === null ? { cause } : { cause, since: startedAt }]
  })

/** Finds balances that run out within the limit at the current rate. Pure. */
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
