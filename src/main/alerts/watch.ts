import type { AccountId } from '#shared/bridge/account'
import type { AlertCause } from '#shared/bridge/alert'
import type { SpendingView } from '#shared/bridge/cost'
import type { MachineView } from '#shared/bridge/fleet'
import type { Accounts } from '../accounts/index'
import type { Balances } from '../balance/index'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import type { Clock } from '../core/clock'
import { defineModule } from '../core/module'
import type { ReportError } from '../core/report-error'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Fleet } from '../fleet/index'
import type { Alerts } from './index'
import {
  balanceAlerts,
  budgetAlerts,
  longRunning,
  machineAlerts,
  type MachineCost,
  rateAlerts,
} from './money-alerts'

export interface MoneyWatchDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'capability' | 'onChange'>
  readonly fleet: Pick<Fleet, 'snapshot' | 'onChange'>
  readonly spending: {
    /** Returns undefined while the spending is unknown. */
    view(account: AccountId): SpendingView | undefined
    onChange(listener: (view: SpendingView) => void): () => void
    refresh(account: AccountId): Promise<void>
  }
  /** Reads the known costs of machines. Never fails. */
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  readonly balances: Pick<Balances, 'read' | 'onChange'>
  /** Whether the stored past has been read, or cannot be. */
  pastKnown(): boolean
  readonly alerts: Pick<Alerts, 'check' | 'limits' | 'onLimits' | 'stands'>
  readonly clock: Clock
  readonly report: ReportError
}

const checkIntervalSeconds = 60
/** Age up to which a reading is used: three of the longest poll intervals. */
const maxAgeSeconds = { usage: 900, machines: 180, balance: 1_800 }

/** Returns the cause of a spent budget that corresponds to a forecast. Pure. */
const reachedOf = ({ month, budget, forecast }: AlertCause & { kind: 'budget-forecast' }): AlertCause => ({
  kind: 'budget-reached',
  month,
  budget,
  spent: forecast,
})

/**
 * Compares spending, running machines and balances with the limits of each account, with or without a window. Unknown
 * values neither begin nor end an alert.
 */
export function watchMoney(deps: MoneyWatchDeps) {
  const { accounts, alerts, balances, capabilities, fleet, spending } = deps
  const { now, after } = deps.clock

  /** Latest check of each account's machines; the results of earlier ones are ignored. */
  const latestChecks = new Map<AccountId, object>()
  /** Requests for unknown costs, by machine: one for each. */
  const priceRequests = new Map<string, Promise<void>>()

  async function price(account: AccountId, machine: string): Promise<void> {
    const key = resourceKey(account, machine)
    try {
      // `refresh` may throw synchronously for an account that was forgotten.
      const request = priceRequests.get(key) ?? spending.refresh(account)
      priceRequests.set(key, request)
      await request
    } catch (error) {
      priceRequests.delete(key)
      deps.report('alerts.costs', error)
    }
  }

  function forgetPrices(account: AccountId, machines: readonly string[]): void {
    const keys = new Set(machines.map((machine) => resourceKey(account, machine)))
    for (const key of priceRequests.keys())
      if (isKeyOf(account, key) && !keys.has(key)) priceRequests.delete(key)
  }

  async function checkMachines(account: AccountId, machines: readonly MachineView[]): Promise<void> {
    const check = {}
    latestChecks.set(account, check)
    const limits = alerts.limits(account)
    const stands = (machine: string, hours: number): boolean =>
      alerts.stands(account, { kind: 'long-running', machine, hours, name: '', perHour: null, cost: null })
    const longRunningMachines = longRunning(machines, limits, now(), stands)
    const ids = longRunningMachines.map(({ id }) => id)
    forgetPrices(account, ids)
    let costs = ids.length > 0 ? await deps.costsOf(account, ids) : undefined
    // The fleet knows a new machine before its usage was read.
    const unpriced = ids.filter((id) => !costs?.get(id)?.perHour)
    if (unpriced.length > 0) {
      await Promise.all(unpriced.map((id) => price(account, id)))
      costs = await deps.costsOf(account, ids)
    }
    // The account may have been signed out since.
    if (latestChecks.get(account) !== check || (fleet.snapshot(account)?.status.asOf ?? null) === null) return
    alerts.check(
      account,
      'machines',
      machineAlerts(longRunningMachines, limits, (machine) => costs?.get(machine)),
    )
  }

  // A reading from the future was made before the clock was set back.
  const isFresh = (asOf: number | null, seconds: number): boolean =>
    asOf !== null && Math.abs(now() - asOf) <= seconds

  function checkAccount(account: AccountId): void {
    const limits = alerts.limits(account)
    const view = spending.view(account)
    const known = view && isFresh(view.usageAsOf, maxAgeSeconds.usage) ? view : undefined
    if (known) {
      const overBudget = budgetAlerts(known, limits, (cause) => alerts.stands(account, cause))
      // While the past is being read, an amount below the budget does not prove that the budget was not reached.
      const isComplete = deps.pastKnown() && known.history !== 'partial'
      const isCertain = overBudget.some(
        ({ cause }) => cause.kind !== 'budget-forecast' || !alerts.stands(account, reachedOf(cause)),
      )
      if (isComplete || isCertain) alerts.check(account, 'budget', overBudget)
      alerts.check(account, 'rate', rateAlerts(known, limits))
    }

    const machines = fleet.snapshot(account)
    if (machines && isFresh(machines.status.asOf, maxAgeSeconds.machines))
      void checkMachines(account, machines.machines)

    const balance = balances.read(account)
    if (limits.balanceDays === null || capabilities.capability(account, 'balance') === 'no')
      alerts.check(account, 'balance', [])
    else if (balance && known && isFresh(balance.asOf, maxAgeSeconds.balance))
      alerts.check(account, 'balance', balanceAlerts(balance, known, limits))
  }

  let cancel = (): void => undefined
  function tick(): void {
    for (const { id, state } of accounts.view().accounts) if (state === 'signed-in') checkAccount(id)
    cancel = after(checkIntervalSeconds, tick)
  }

  const unsubscribe = [
    spending.onChange(({ account }) => checkAccount(account)),
    fleet.onChange(({ account, status }) => {
      if (!status.reading) checkAccount(account)
    }),
    balances.onChange(({ account }) => checkAccount(account)),
    capabilities.onChange(({ account }) => checkAccount(account)),
    alerts.onLimits((account) => {
      if (accounts.view().accounts.some(({ id }) => id === account)) checkAccount(account)
    }),
  ]
  tick()

  return defineModule({
    handlers: {},
    events: {},
    forgetAccount(account: AccountId): void {
      latestChecks.delete(account)
      forgetPrices(account, [])
    },
    close(): void {
      cancel()
      unsubscribe.forEach((stop) => stop())
    },
  })
}
