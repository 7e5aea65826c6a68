import type { AccountId } from '#shared/bridge/account'
import type { ActiveCost } from '#shared/bridge/cost'
import type { IdleMachine } from '#shared/bridge/idle'
import type { HandlersOf } from '#shared/bridge/index'
import type { WasteView, wasteCalls, wasteEvents } from '#shared/bridge/waste'
import { FailureError } from '#shared/failure'
import { wasteOf, wasteTotals } from '#shared/money/waste'
import type { Accounts } from '../accounts/index'
import type { BareMetal } from '../bare-metal/index'
import type { Spending } from '../billing/spending'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import type { Clock } from '../core/clock'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { singleFlight } from '../core/single-flight'
import type { Fleet } from '../fleet/index'
import type { Volumes } from '../volumes/index'

export interface WasteDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'capability' | 'onChange'>
  readonly fleet: Pick<Fleet, 'snapshot' | 'onChange'>
  readonly volumes: Pick<Volumes, 'snapshot' | 'onChange'>
  readonly bareMetal: Pick<BareMetal, 'views' | 'find' | 'onChange'>
  readonly spending: Pick<Spending, 'active' | 'view' | 'onChange'>
  readonly idle: {
    list(account: AccountId): readonly IdleMachine[]
    /** Whether its GPUs are seen at work. */
    atWork(account: AccountId, machine: string): boolean
    readonly onChange: Subscribe<{ readonly account: AccountId }>
  }
  readonly clock: Pick<Clock, 'after' | 'now'>
  readonly report: ReportError
}

/** Seconds in which changes are gathered before the waste is found anew; in the background only the tray shows it. */
const gathering = { shown: 1, background: 30 } as const
/** Seconds for which something that left its list may be charged for still. */
const settling = 60

/** What every account pays for that serves nobody. */
export function createWaste(deps: WasteDeps) {
  const { accounts, capabilities, fleet, volumes, bareMetal, spending, idle, clock, report } = deps
  const views = new Map<AccountId, WasteView>()
  const changes = createEmitter<WasteView>()
  const finders = new Map<AccountId, () => Promise<void>>()
  const waiting = new Set<AccountId>()
  /** When each resource was last seen to leave its list (epoch seconds). */
  const left = new Map<AccountId, Map<string, number>>()
  /** When each resource whose creation has no date was first billed here (epoch seconds). */
  const seen = new Map<AccountId, ReadonlyMap<string, number>>()
  let cancel = (): void => undefined
  let closed = false
  let isBackground = false

  const isKnown = (account: AccountId): boolean => accounts.view().accounts.some(({ id }) => id === account)

  function seenSince(account: AccountId, costs: readonly ActiveCost[]): ReadonlyMap<string, number> {
    const before = seen.get(account)
    const undated = costs.filter(({ createdAt }) => createdAt === null)
    // A clock that was set back makes nothing newer than now.
    const since = new Map(undated.map(({ id }) => [id, Math.min(before?.get(id) ?? Infinity, clock.now())]))
    seen.set(account, since)
    return since
  }

  /** What has just left its list. The rest is forgotten, as is what left after now: the clock was set back since. */
  function leftLately(account: AccountId, usageAsOf: number | null): readonly string[] {
    const known = left.get(account) ?? new Map<string, number>()
    for (const [id, at] of known) if (at > clock.now() || at + settling < (usageAsOf ?? 0)) known.delete(id)
    return [...known.keys()]
  }

  async function computed(account: AccountId): Promise<WasteView> {
    const usageAsOf = spending.view(account)?.usageAsOf ?? null
    // Before the service has said what it charges for, nothing is waste.
    const costs = usageAsOf === null ? [] : await spending.active({ account })
    const machines = fleet.snapshot(account)
    const { volumes: known, status } = await Promise.resolve(volumes.snapshot(account))
    const asOf = [machines?.status.asOf ?? null, status.asOf]
    const failure = spending.view(account)?.failure ?? machines?.status.failure ?? status.failure
    // What a record that cannot be read is about is unknown.
    const unreadable = machines?.status.unreadable ?? status.unreadable
    const gone = leftLately(account, usageAsOf)
    const find = () => {
      const instances = bareMetal.views(account)
      return wasteOf({
        costs,
        machines: machines?.machines ?? [],
        volumes: known,
        instances,
        idle: idle.list(account),
        listedAsOf: unreadable ? null : asOf.reduce((one, other) => one && other && Math.min(one, other)),
        pending: new Set(gone),
        seenSince: seenSince(account, costs),
        atWork: new Set(instances.flatMap(({ id }) => (idle.atWork(account, id) ? id : []))),
        canDelete: {
          machine: capabilities.capability(account, 'delete-machine') !== 'no',
          volume: capabilities.capability(account, 'delete-volume') !== 'no',
        },
      })
    }
    // Bare metal that is charged for is added automatically.
    const first = find()
    const unlisted = first.filter(({ reason }) => reason.kind === 'unlisted' && reason.type === 'vm')
    if (unlisted.length > 0) await bareMetal.find(account, [...new Set(unlisted.map(({ id }) => id))])
    const items = unlisted.length > 0 ? find() : first
    const read = usageAsOf !== null && !asOf.includes(null)
    return { account, items: [...items], totals: [...wasteTotals(items)], read, failure }
  }

  async function find(account: AccountId): Promise<void> {
    if (closed || !isKnown(account)) return
    try {
      const view = await computed(account)
      if (closed || !isKnown(account)) return
      const before = views.get(account)
      views.set(account, view)
      if (JSON.stringify(before) !== JSON.stringify(view)) changes.emit(view)
    } catch (error) {
      // The account may have been forgotten since.
      if (!closed && isKnown(account)) report('waste.find', error)
    }
  }
  function findWaiting(): void {
    const due = [...waiting]
    waiting.clear()
    for (const one of due) {
      const finder = finders.get(one) ?? singleFlight(() => find(one))
      finders.set(one, finder)
      void finder()
    }
  }
  function changed(account: AccountId): void {
    if (waiting.size === 0)
      cancel = clock.after(isBackground ? gathering.background : gathering.shown, findWaiting)
    waiting.add(account)
  }
  function noteLeaving(account: AccountId, removes: readonly string[]): void {
    const known = left.get(account) ?? new Map<string, number>()
    left.set(account, known)
    for (const id of removes) known.set(id, clock.now())
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
      return views.get(account) ?? { account, items: [], totals: [], read: false, failure: null }
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
      if (!isOpen || closed) return
      cancel()
      findWaiting()
    },
    forgetAccount(account: AccountId): void {
      for (const kept of [views, finders, left, seen]) kept.delete(account)
    },
    close(): void {
      closed = true
      cancel()
      unfollow.forEach((stop) => stop())
    },
  })
}
