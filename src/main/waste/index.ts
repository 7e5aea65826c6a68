import type { AccountId } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { IdleList } from '#shared/bridge/idle'
import type { HandlersOf } from '#shared/bridge/index'
import type { WasteView, wasteCalls, wasteEvents } from '#shared/bridge/waste'
import { FailureError } from '#shared/failure'
import { isChecked, wasteOf, wasteTotals } from '#shared/money/waste'
import type { Accounts } from '../accounts/index'
import type { BareMetal } from '../bare-metal/index'
import type { Spending } from '../billing/spending-views'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import type { Clock } from '../core/clock'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { singleFlight } from '../core/single-flight'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'
import type { Volumes } from '../volumes/index'
import { createEndedWaste } from './ended-waste'

export interface WasteDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'capability' | 'onChange'>
  readonly fleet: Pick<Fleet, 'snapshot' | 'onChange'>
  readonly volumes: Pick<Volumes, 'snapshot' | 'onChange'>
  readonly bareMetal: Pick<BareMetal, 'views' | 'find' | 'onChange'>
  readonly spending: Pick<Spending, 'active' | 'view' | 'onChange'>
  readonly idle: {
    list(account: AccountId): IdleList
    atWork(account: AccountId, machine: string): boolean
    readonly onChange: Subscribe<{ readonly account: AccountId }>
  }
  readonly documents: Sections
  readonly clock: Pick<Clock, 'after' | 'now'>
  readonly report: ReportError
}

/** Delays that gather changes. Without a window only the tray shows the waste. */
const gatherSeconds = { window: 1, background: 30 } as const
/** Time for which a resource that left its list may still be charged for. */
const settleSeconds = 60

/** Records when resources left their list or were first billed. Times are epoch seconds. */
function createResourceTimes(now: Clock['now']) {
  const leftAt = new Map<AccountId, Map<string, number>>()
  const billedSince = new Map<AccountId, ReadonlyMap<string, number>>()
  return {
    noteLeaving(account: AccountId, ids: readonly string[]): void {
      const times = leftAt.get(account) ?? new Map<string, number>()
      leftAt.set(account, times)
      for (const id of ids) times.set(id, now())
    },
    /** Returns the resources that just left their list. Drops older times, and those after a clock that was set back. */
    recentlyLeft(account: AccountId, usageAsOf: number | null): ReadonlySet<string> {
      const times = leftAt.get(account) ?? new Map<string, number>()
      for (const [id, at] of times) if (at > now() || at + settleSeconds < (usageAsOf ?? 0)) times.delete(id)
      return new Set(times.keys())
    },
    /** Returns when resources without a creation date were first billed. */
    billedSince(account: AccountId, costs: readonly ActiveCost[]): ReadonlyMap<string, number> {
      const before = billedSince.get(account)
      const undated = costs.filter(({ createdAt }) => createdAt === null)
      // No time may be later than a clock that was set back.
      const since = new Map(undated.map(({ id }) => [id, Math.min(before?.get(id) ?? Infinity, now())]))
      billedSince.set(account, since)
      return since
    },
    forgetAccount(account: AccountId): void {
      leftAt.delete(account)
      billedSince.delete(account)
    },
  }
}

/** Finds the waste of an account, and adds bare metal that occurs only in the usage. */
async function findWaste(
  { capabilities, fleet, volumes: volumeLists, bareMetal, spending, idle }: WasteDeps,
  times: ReturnType<typeof createResourceTimes>,
  ended: ReturnType<typeof createEndedWaste>,
  account: AccountId,
): Promise<WasteView> {
  const usageAsOf = spending.view(account)?.usageAsOf ?? null
  // Nothing is waste before the usage was read.
  const costs = usageAsOf === null ? [] : await spending.active({ account })
  const machines = fleet.snapshot(account)
  const { volumes, status } = await Promise.resolve(volumeLists.snapshot(account))
  const listTimes = [machines?.status.asOf ?? null, status.asOf]
  const failure = spending.view(account)?.failure ?? machines?.status.failure ?? status.failure
  // An unreadable record may be about any resource.
  const unreadable = machines?.status.unreadable ?? status.unreadable
  const pending = times.recentlyLeft(account, usageAsOf)
  const find = () => {
    const { machines: unused, unmeasured } = idle.list(account)
    const instances = bareMetal.views(account)
    return wasteOf({
      costs,
      machines: machines?.machines ?? [],
      volumes,
      instances,
      idle: unused,
      unmeasured: new Set(unmeasured),
      listedAsOf: unreadable ? null : listTimes.reduce((a, b) => a && b && Math.min(a, b)),
      pending,
      seenSince: times.billedSince(account, costs),
      atWork: new Set(instances.flatMap(({ id }) => (idle.atWork(account, id) ? id : []))),
      canDelete: {
        machine: capabilities.capability(account, 'delete-machine') !== 'no',
        volume: capabilities.capability(account, 'delete-volume') !== 'no',
      },
    })
  }
  const first = find()
  const unlisted = first.filter(({ reason }) => reason.kind === 'unlisted' && reason.type === 'vm')
  if (unlisted.length > 0) await bareMetal.find(account, [...new Set(unlisted.map(({ id }) => id))])
  const found = unlisted.length > 0 ? find() : first
  const items = found.filter(isChecked)
  const unchecked = found.filter((item) => !isChecked(item))
  const read = usageAsOf !== null && !listTimes.includes(null)
  // Resources that could not be read have not ended.
  const charged = new Set(costs.map(({ id }) => id))
  const endedCosts = read ? ended.follow(account, items, { charged, leaving: pending }) : ended.costs(account)
  const totals = [...wasteTotals(items, endedCosts)]
  return { account, items, unchecked, totals, ended: endedCosts, read, failure }
}

export function createWaste(deps: WasteDeps) {
  const { accounts, capabilities, fleet, volumes, bareMetal, spending, idle, clock, report } = deps
  const views = new Map<AccountId, WasteView>()
  const changes = createEmitter<WasteView>()
  const finders = new Map<AccountId, () => Promise<void>>()
  const waiting = new Set<AccountId>()
  const times = createResourceTimes(clock.now)
  const ended = createEndedWaste({ documents: deps.documents, now: clock.now, report })
  let cancel = (): void => undefined
  let isClosed = false
  let isBackground = false

  const isKnown = (account: AccountId): boolean => accounts.view().accounts.some(({ id }) => id === account)

  async function find(account: AccountId): Promise<void> {
    if (isClosed || !isKnown(account)) return
    try {
      const view = await findWaste(deps, times, ended, account)
      if (isClosed || !isKnown(account)) return
      const before = views.get(account)
      views.set(account, view)
      if (JSON.stringify(before) !== JSON.stringify(view)) changes.emit(view)
    } catch (error) {
      // The account may have been forgotten since.
      if (!isClosed && isKnown(account)) report('waste.find', error)
    }
  }
  function findWaiting(): void {
    const due = [...waiting]
    waiting.clear()
    for (const account of due) {
      const finder = finders.get(account) ?? singleFlight(() => find(account))
      finders.set(account, finder)
      void finder()
    }
  }
  function changed(account: AccountId): void {
    if (waiting.size === 0)
      cancel = clock.after(isBackground ? gatherSeconds.background : gatherSeconds.window, findWaiting)
    waiting.add(account)
  }
  function noteLeaving(account: AccountId, removes: readonly string[]): void {
    times.noteLeaving(account, removes)
    changed(account)
  }

  const unfollow = [
    fleet.onChange(({ account, removes }) => noteLeaving(account, removes)),
    volumes.onChange(({ account, removes }) => noteLeaving(account, removes)),
    bareMetal.onChange(({ account }) => changed(account)),
    spending.onChange(({ account }) => changed(account)),
    idle.onChange(({ account }) => changed(account)),
    capabilities.onChange(({ account }) => changed(account)),
  ]

  const handlers: HandlersOf<typeof wasteCalls> = {
    'waste.list': ({ account }) => {
      if (!isKnown(account))
        throw new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
      return (
        views.get(account) ?? {
          account,
          items: [],
          unchecked: [],
          totals: [],
          ended: [],
          read: false,
          failure: null,
        }
      )
    },
  }
  const events: EventsOf<typeof wasteEvents> = { 'waste.changed': changes.on }

  return defineModule({
    handlers,
    events,
    onChange: changes.on,
    view: (account: AccountId): WasteView | undefined => views.get(account),
    windowChanged(isOpen: boolean): void {
      isBackground = !isOpen
      if (!isOpen || isClosed) return
      cancel()
      findWaiting()
    },
    async forgetAccount(account: AccountId): Promise<void> {
      views.delete(account)
      finders.delete(account)
      times.forgetAccount(account)
      await ended.forgetAccount(account)
    },
    close(): void {
      isClosed = true
      cancel()
      unfollow.forEach((stop) => stop())
    },
  })
}
