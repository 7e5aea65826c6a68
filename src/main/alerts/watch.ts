import type { AccountId } from '#shared/bridge/account'
import type { SpendingView } from '#shared/bridge/cost'
import type { Accounts } from '../accounts/index'
import type { Balances } from '../balance/index'
import type { CapabilitiesOfAccounts } from '../fleet/capabilities'
import type { Fleet } from '../fleet/index'
import type { Alerts } from './index'
import { balanceAlerts, machineAlerts, type MachineCost, spendingAlerts } from './money-alerts'

export interface MoneyWatchParts {
  readonly accounts: Pick<Accounts, 'view'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'capability' | 'onChange'>
  readonly fleet: Pick<Fleet, 'snapshot' | 'onChange'>
  readonly spending: {
    /** Undefined while nothing can be said yet. */
    view(account: AccountId): SpendingView | undefined
    onChange(listener: (view: SpendingView) => void): unknown
  }
  /** What a machine costs now and has cost. */
  costOf(account: AccountId, machine: string): MachineCost
  readonly balances: Pick<Balances, 'read' | 'onChange'>
  readonly alerts: Pick<Alerts, 'check' | 'limits' | 'onLimits' | 'stands'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
}

/** Seconds between two looks where nothing changes but the time. */
const lookEvery = 60

/**
 * Holds what is spent, what runs and what is left against the limits of each account, window open or not. What is not
 * known at the moment says nothing: neither that a cause has begun, nor that it is gone.
 */
export function watchMoney(parts: MoneyWatchParts) {
  const { accounts, alerts, balances, capabilities, fleet, spending, now } = parts

  function look(account: AccountId): void {
    const limits = alerts.limits(account)
    const found = spending.view(account)
    const known = found && found.usageAsOf !== null ? found : undefined
    if (known)
      alerts.check(
        account,
        'spending',
        spendingAlerts(known, limits, (cause) => alerts.stands(account, cause)),
      )

    const machines = fleet.snapshot(account)
    if (machines && machines.status.asOf !== null) {
      const costOf = (machine: string): MachineCost => parts.costOf(account, machine)
      alerts.check(account, 'machines', machineAlerts(machines.machines, limits, costOf, now()))
    }

    const balance = balances.read(account)
    if (limits.balanceDays === null || capabilities.capability(account, 'balance') === 'no')
      alerts.check(account, 'balance', [])
    else if (balance && known) alerts.check(account, 'balance', balanceAlerts(balance, known, limits))
  }

  let callOff = (): void => undefined
  function tick(): void {
    for (const { id, state } of accounts.view().accounts) if (state === 'signed-in') look(id)
    callOff = parts.after(lookEvery, tick)
  }

  spending.onChange(({ account }) => look(account))
  fleet.onChange(({ account, status }) => {
    if (!status.reading) look(account)
  })
  balances.onChange(look)
  capabilities.onChange(look)
  alerts.onLimits(look)
  tick()

  return { close: (): void => callOff() }
}
