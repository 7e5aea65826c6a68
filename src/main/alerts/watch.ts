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
    /** Undefined while nothing can be said yet. */
    view(account: AccountId): SpendingView | undefined
    onChange(listener: (view: SpendingView) => void): () => void
    /** Asks the service now what is charged for. */
    refresh(account: AccountId): Promise<void>
  }
  /** What machines cost now and have cost, as far as it is known. Never fails. */
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  readonly balances: Pick<Balances, 'read' | 'onChange'>
  /** Whether what is kept of the past can be read, or is known not to be. */
  pastKnown(): boolean
  readonly alerts: Pick<Alerts, 'check' | 'limits' | 'onLimits' | 'stands'>
  readonly clock: Clock
  readonly report: ReportError
}

/** Seconds between two looks where nothing changes but the time. */
const lookEvery = 60
/** Seconds for which a reading counts: three of the longest poll intervals. Older ones are ignored. */
const counts = { usage: 900, machines: 180, balance: 1_800 }

/** The cause of the used-up budget that belongs to a forecast. Pure. */
const reachedOf = ({ month, budget, forecast }: AlertCause & { kind: 'budget-forecast' }): AlertCause => ({
  kind: 'budget-reached',
  month,
  budget,
  spent: forecast,
})

/**
 * Holds what is spent, what runs and what is left against the limits of each account, window open or not. What is not
 * known at the moment says nothing: neither that a cause has begun, nor that it is gone.
 */
export function watchMoney(deps: MoneyWatchDeps) {
  const { accounts, alerts, balances, capabilities, fleet, spending } = deps
  const { now, after } = deps.clock

  /** The look at machines that is under way: an older one that comes to its end later says nothing. */
  const looks = new Map<AccountId, object>()
  /** The machines whose cost was not known, by account: the service is asked once for each. */
  const priced = new Map<string, Promise<void>>()

  async function price(account: AccountId, machine: string): Promise<void> {
    const key = resourceKey(account, machine)
    try {
      // It may throw at once, of an account that has been forgotten since.
      const asked = priced.get(key) ?? spending.refresh(account)
      priced.set(key, asked)
      await asked
    } catch (error) {
      priced.delete(key)
      deps.report('alerts.costs', error)
    }
  }

  function forgetPrices(account: AccountId, machines: readonly string[]): void {
    const keys = new Set(machines.map((machine) => resourceKey(account, machine)))
    for (const key of priced.keys()) if (isKeyOf(account, key) && !keys.has(key)) priced.delete(key)
  }

  async function lookAtMachines(account: AccountId, machines: readonly MachineView[]): Promise<void> {
    const look = {}
    looks.set(account, look)
    const limits = alerts.limits(account)
    const stands = (machine: string, hours: number): boolean =>
      alerts.stands(account, { kind: 'long-running', machine, hours, name: '', perHour: null, cost: null })
    const found = longRunning(machines, limits, now(), stands)
    const ids = found.map(({ id }) => id)
    forgetPrices(account, ids)
    let costs = ids.length > 0 ? await deps.costsOf(account, ids) : undefined
    // One that has only just been seen: the fleet knows of it before what is charged for has been read.
    const unpriced = ids.filter((id) => !costs?.get(id)?.perHour)
    if (unpriced.length > 0) {
      await Promise.all(unpriced.map((id) => price(account, id)))
      costs = await deps.costsOf(account, ids)
    }
    // The account may have been signed out since.
    if (looks.get(account) !== look || (fleet.snapshot(account)?.status.asOf ?? null) === null) return
    alerts.check(
      account,
      'machines',
      machineAlerts(found, limits, (machine) => costs?.get(machine)),
    )
  }

  // A reading from a time that is still to come was made before the clock was set back.
  const isFresh = (asOf: number | null, seconds: number): boolean =>
    asOf !== null && Math.abs(now() - asOf) <= seconds

  function look(account: AccountId): void {
    const limits = alerts.limits(account)
    const found = spending.view(account)
    const known = found && isFresh(found.usageAsOf, counts.usage) ? found : undefined
    if (known) {
      const overBudget = budgetAlerts(known, limits, (cause) => alerts.stands(account, cause))
      // While the past is still being read, an amount below the budget does not say that it was not reached.
      const whole = deps.pastKnown() && known.history !== 'partial'
      const saysMore = overBudget.some(
        ({ cause }) => cause.kind !== 'budget-forecast' || !alerts.stands(account, reachedOf(cause)),
      )
      if (whole || saysMore) alerts.check(account, 'budget', overBudget)
      alerts.check(account, 'rate', rateAlerts(known, limits))
    }

    const machines = fleet.snapshot(account)
    if (machines && isFresh(machines.status.asOf, counts.machines))
      void lookAtMachines(account, machines.machines)

    const balance = balances.read(account)
    if (limits.balanceDays === null || capabilities.capability(account, 'balance') === 'no')
      alerts.check(account, 'balance', [])
    else if (balance && known && isFresh(balance.asOf, counts.balance))
      alerts.check(account, 'balance', balanceAlerts(balance, known, limits))
  }

  let cancel = (): void => undefined
  function tick(): void {
    for (const { id, state } of accounts.view().accounts) if (state === 'signed-in') look(id)
    cancel = after(lookEvery, tick)
  }

  const unsubscribe = [
    spending.onChange(({ account }) => look(account)),
    fleet.onChange(({ account, status }) => {
      if (!status.reading) look(account)
    }),
    balances.onChange(({ account }) => look(account)),
    capabilities.onChange(({ account }) => look(account)),
    alerts.onLimits((account) => {
      if (accounts.view().accounts.some(({ id }) => id === account)) look(account)
    }),
  ]
  tick()

  return defineModule({
    handlers: {},
    events: {},
    forgetAccount(account: AccountId): void {
      looks.delete(account)
      forgetPrices(account, [])
    },
    close(): void {
      cancel()
      unsubscribe.forEach((stop) => stop())
    },
  })
}
