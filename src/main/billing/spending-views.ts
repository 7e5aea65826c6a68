import type { AccountId } from '#shared/bridge/account'
import type { costCalls, SpendingView } from '#shared/bridge/cost'
import type { HandlersOf } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import { addDays, type Calendar, calendarIn } from '#shared/money/calendar'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import type { Store } from '../store/database'
import { costQueries } from './cost-queries'
import type { StoredCharges } from './costs/charge'
import { type CostBook, costBook } from './costs/cost-book'
import { momentsAt } from './costs/periods'
import { countRunning, spendingOf } from './costs/spending-totals'
import type { UsageRecord } from './costs/usage-record'
import type { Currencies } from './currency'
import type { AccountsUsage } from '../usage/index'
import { createLedgerCosts, type LedgerNews } from './ledger-costs'
import { createLiveUsage, type LiveUsage } from './live-usage'
import type { ResourceHistory } from './resource-history'
import { isRecent } from '../core/elapsed'

export interface SpendingDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly usage: Pick<AccountsUsage, 'read' | 'expire'>
  readonly ledger: LedgerNews
  readonly store: Pick<Store, 'database' | 'onChange'>
  readonly currencies: Currencies
  readonly history: ResourceHistory
  volumes(account: AccountId): readonly VolumeView[] | Promise<readonly VolumeView[]>
  /** IANA name of the user's time zone. */
  timeZone(): string
  readonly clock: Clock
  online(): boolean
  readonly report: ReportError
  /** Replaced by tests that count. */
  readonly buildBook?: typeof costBook
}

/** Seconds between two publications of spending that did not change: it grows with time. */
const publishInterval = 60
/** Seconds in which changes are collected before spending is published. */
const collectSeconds = 1

/** Seconds for which a book of costs is used: costs grow with time. */
export const bookLifetime = 60

/** Everything except the time that changes costs. Two equal revisions result in the same costs. */
interface CostRevision {
  readonly charges: StoredCharges
  readonly ledgerUsage: readonly UsageRecord[] | null
  readonly liveUsage: LiveUsage | null
  /** Counts changes of the history of resources. */
  readonly history: number
  /** Currency of amounts that report none. */
  readonly assumedCurrency: string
  /** IANA name. */
  readonly timeZone: string
  /** Epoch seconds until when active resources are assumed to run; null: until now. */
  readonly runsUntil: number | null
}

const isSame = (one: CostRevision, other: CostRevision): boolean =>
  one.charges === other.charges &&
  one.ledgerUsage === other.ledgerUsage &&
  one.liveUsage === other.liveUsage &&
  one.history === other.history &&
  one.assumedCurrency === other.assumedCurrency &&
  one.timeZone === other.timeZone &&
  one.runsUntil === other.runsUntil

const currenciesByUsage = new WeakMap<readonly UsageRecord[], readonly (string | null)[]>()

/** Returns the currencies of usage. Caches them, because they are needed once per resource. */
function currenciesOf(records: readonly UsageRecord[] | null): readonly (string | null)[] {
  if (records === null) return []
  const known = currenciesByUsage.get(records) ?? [...new Set(records.map(({ currency }) => currency))]
  currenciesByUsage.set(records, known)
  return known
}

/** Returns the calendar of a time zone, the same one until the zone changes. */
function calendarOf(timeZone: () => string): () => Calendar {
  let known: Calendar | undefined
  return () => {
    const zone = timeZone()
    if (known?.timeZone !== zone) known = calendarIn(zone)
    return known
  }
}

interface SpendingCache {
  readonly clock: Clock
  readonly report: ReportError
  accountIds(): readonly AccountId[]
  /** Undefined for an unknown account. Fails with local-fault. */
  compute(account: AccountId): SpendingView | undefined
}

/** Last view of each account: published a second after a change, and every minute. */
function spendingCache({ clock: { now, after }, report, accountIds, compute }: SpendingCache) {
  const changes = createEmitter<SpendingView>()
  const views = new Map<AccountId, SpendingView>()
  const waiting = new Set<AccountId>()
  let cancelWaiting = (): void => undefined
  let cancelTick = (): void => undefined

  function refreshed(account: AccountId): SpendingView | undefined {
    const view = compute(account)
    if (view) views.set(account, view)
    return view
  }
  function publish(account: AccountId): void {
    try {
      const view = refreshed(account)
      if (view) changes.emit(view)
    } catch (error) {
      report('cost.read', error)
    }
  }
  function publishWaiting(): void {
    cancelWaiting = () => undefined
    const accounts = [...waiting]
    waiting.clear()
    accounts.forEach(publish)
  }
  function scheduleTick(): void {
    cancelTick = after(publishInterval, () => {
      accountIds().forEach(publish)
      scheduleTick()
    })
  }
  scheduleTick()

  return {
    onChange: changes.on,
    changed(account: AccountId): void {
      views.delete(account)
      if (waiting.size === 0) cancelWaiting = after(collectSeconds, publishWaiting)
      waiting.add(account)
    },
    /** Returns the published view, or a new one if that is too old. Fails with local-fault. */
    view(account: AccountId): SpendingView | undefined {
      const known = views.get(account)
      return known && isRecent(known.asOf, publishInterval, now()) ? known : refreshed(account)
    },
    forgetAccount: (account: AccountId): void => void views.delete(account),
    close(): void {
      cancelWaiting()
      cancelTick()
    },
  }
}

/**
 * Book of costs of each account, built once per revision: all questions of a page are answered from the same book, as of
 * the same moment.
 */
function costBooks(deps: SpendingDeps, calendar: () => Calendar, changed: (account: AccountId) => void) {
  const { accounts, usage, ledger, store, currencies, history, timeZone, clock, online, report } = deps
  const { buildBook = costBook } = deps
  const accountOf = (account: AccountId) => accounts.view().accounts.find(({ id }) => id === account)
  const ledgerCosts = createLedgerCosts({
    isKnown: (account) => accountOf(account) !== undefined,
    ledger,
    store,
    timeZone,
    now: clock.now,
    changed,
    report,
  })
  const live = createLiveUsage({
    accounts,
    usage,
    everything: () => store.database() === undefined,
    expected: ledgerCosts.expectsActive,
    clock,
    online,
    changed,
  })

  function revisionOf(account: AccountId): CostRevision {
    const view = accountOf(account)
    // The service is not asked about an account after the user signed out. Its resources may have ended since.
    const isLeft = view?.state === 'signed-out' && view.failure === null
    const liveUsage = live.latest(account)
    const lastRead = liveUsage?.asOf ?? ledger.state(account).usageLastSync ?? 0
    return {
      charges: ledgerCosts.charges(account),
      ledgerUsage: ledgerCosts.ledgerUsage(account),
      liveUsage,
      history: history.revision(account),
      assumedCurrency: currencies.setting(account).currency,
      timeZone: timeZone(),
      runsUntil: isLeft ? Math.floor(lastRead) : null,
    }
  }
  const books = new Map<AccountId, { readonly revision: CostRevision; readonly book: CostBook }>()

  /** Fails with local-fault. */
  function bookOf(account: AccountId): CostBook {
    const revision = revisionOf(account)
    const now = Math.floor(clock.now())
    const known = books.get(account)
    const age = known ? now - known.book.now : 0
    // The age is negative if the clock was set back.
    if (known && isSame(known.revision, revision) && age >= 0 && age < bookLifetime) return known.book
    const book = buildBook({
      charges: revision.charges,
      usage: ledgerCosts.usage(account, live.latest(account)),
      seen: (resource) => history.of(account, resource),
      currencyOf: (resource, reported) => currencies.of(account, resource, reported),
      now,
      tomorrow: calendar().startOf(addDays(calendar().dateAt(now), 1)),
      runsUntil: Math.min(now, revision.runsUntil ?? now),
    })
    books.set(account, { revision, book })
    return book
  }
  return { accountOf, ledgerCosts, live, bookOf, forgetBook: (account: AccountId) => books.delete(account) }
}

/** Spending of all accounts, and the queries about it. */
export function createSpending(deps: SpendingDeps) {
  const { accounts, ledger, currencies, history, timeZone, clock, report } = deps
  const calendar = calendarOf(timeZone)
  const { accountOf, ledgerCosts, live, bookOf, forgetBook } = costBooks(deps, calendar, changed)
  const cache = spendingCache({
    clock,
    report,
    accountIds: () => accounts.view().accounts.map(({ id }) => id),
    compute,
  })
  function changed(account: AccountId): void {
    cache.changed(account)
  }

  /** The last views of complete days, shown while days are rebuilt. */
  const completeViews = new Map<AccountId, SpendingView>()
  function compute(account: AccountId): SpendingView | undefined {
    const known = accountOf(account)
    if (!known) {
      completeViews.delete(account)
      return undefined
    }
    // The days are rebuilt after a change of the time zone. Spending is published again afterwards.
    const isBuilt = ledgerCosts.isBuilt(account)
    const lastView = completeViews.get(account)
    if (!isBuilt) void ledgerCosts.refresh(account)
    if (!isBuilt && lastView) return lastView
    const costs = bookOf(account)
    const zone = calendar()
    const moments = momentsAt(zone, costs.now)
    const view: SpendingView = {
      account,
      sandbox: known.sandbox,
      asOf: costs.now,
      timeZone: zone.timeZone,
      todayStart: moments.today,
      monthStart: moments.month,
      monthEnd: moments.nextMonth,
      history: ledgerCosts.history(account),
      usageAsOf: live.latest(account)?.asOf ?? ledger.state(account).usageLastSync,
      failure: live.failure(account),
      running: countRunning(costs),
      currencies: spendingOf(costs, moments),
    }
    if (isBuilt) completeViews.set(account, view)
    return view
  }

  const unknownAccount = (): FailureError =>
    new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
  /** Fails with invalid-input (account) and local-fault. */
  function requireView(account: AccountId): SpendingView {
    const found = cache.view(account)
    if (!found) throw unknownAccount()
    return found
  }

  const unfollow = [currencies.onChange(changed), history.onChange(changed)]
  let known: readonly AccountId[] = []
  const follow = (): void => {
    const ids = accounts.view().accounts.map(({ id }) => id)
    for (const id of ids) if (!known.includes(id)) void ledgerCosts.refresh(id)
    known = ids
  }
  follow()
  unfollow.push(accounts.onChange(follow))

  const queries = costQueries({
    currencies,
    volumes: deps.volumes,
    calendar,
    history: ledgerCosts.history,
    book: async (account) => {
      if (!accountOf(account)) throw unknownAccount()
      await ledgerCosts.refresh(account)
      return bookOf(account)
    },
  })

  const handlers: HandlersOf<typeof costCalls> = {
    'cost.spending': ({ account }) => requireView(account),
    'cost.days': queries.days,
    'cost.resources': queries.resources,
    'cost.active': queries.active,
    'cost.gpus': queries.gpus,
    'cost.detachedVolumes': queries.detachedVolumes,
    'cost.disagreements': queries.disagreements,
    'cost.currency': ({ account }) => currencies.setting(account),
    'cost.setCurrency': ({ account, currency }) => currencies.choose(account, currency),
  }

  return {
    handlers,
    ...queries,
    /** Undefined for an unknown account, and if the store cannot be read. */
    view(account: AccountId): SpendingView | undefined {
      try {
        return cache.view(account)
      } catch (error) {
        report('cost.read', error)
        return undefined
      }
    },
    /** Returns the currencies that statements and usage of an account carry: none if the store cannot be read. */
    reportedCurrencies(account: AccountId): readonly string[] {
      const ofUsage = [ledgerCosts.ledgerUsage(account), live.latest(account)?.records ?? null]
      return [...ledgerCosts.currencies(account), ...ofUsage.flatMap(currenciesOf)].filter(
        (currency) => currency !== null,
      )
    },
    requireView,
    onChange: cache.onChange,
    /** Asks the service at once, because a resource began or ended. */
    refresh: (account: AccountId): Promise<void> => live.read(account),
    windowChanged: live.windowChanged,
    wakeChanged: live.wakeChanged,
    async forgetAccount(account: AccountId): Promise<void> {
      cache.forgetAccount(account)
      forgetBook(account)
      ledgerCosts.forgetAccount(account)
      history.forgetAccount(account)
      await currencies.forgetAccount(account)
    },
    close(): void {
      cache.close()
      unfollow.forEach((stop) => stop())
      ledgerCosts.close()
      live.close()
    },
  }
}
export type Spending = ReturnType<typeof createSpending>
