import type { AccountId } from '#shared/bridge/account'
import type { costCalls, SpendingView } from '#shared/bridge/cost'
import type { HandlersOf } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import { type Calendar, calendarIn } from '#shared/money/calendar'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import type { Store } from '../store/database'
import { costQueries } from './cost-queries'
import { createCostSources, type LedgerNews } from './cost-sources'
import { type CostRevision, createCostBooks } from './cost-books'
import { costBook } from './costs/cost-book'
import { sumDays } from './costs/day-sums'
import { momentsAt } from './costs/periods'
import { countRunning, spendingOf } from './costs/spending'
import type { UsageRecord } from './costs/usage-record'
import type { Currencies } from './currency'
import type { AccountsUsage } from '../usage/index'
import { createLiveUsage } from './live-usage'
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
  /** The person's, as an IANA name. */
  timeZone(): string
  readonly clock: Clock
  online(): boolean
  readonly report: ReportError
  /** Replaced by tests that count. */
  readonly buildBook?: typeof costBook
}

/** Seconds after which spending is published again even where nothing changed: it grows with time. */
const tick = 60
const aDay = 86_400
/** Seconds in which changes are gathered before spending is published again. */
const gathering = 1

const currenciesKnown = new WeakMap<readonly UsageRecord[], readonly (string | null)[]>()

/** Returns the currencies of usage, cached as long as the records exist: they are asked for once per resource. */
function currenciesOf(records: readonly UsageRecord[] | null): readonly (string | null)[] {
  if (records === null) return []
  const known = currenciesKnown.get(records) ?? [...new Set(records.map(({ currency }) => currency))]
  currenciesKnown.set(records, known)
  return known
}

/** What all accounts spend, and the queries about it. */
export function createSpending(deps: SpendingDeps) {
  const { accounts, ledger, store, currencies, history, timeZone, clock, online, report } = deps
  const { now, after } = clock
  const { buildBook = costBook } = deps
  const changes = createEmitter<SpendingView>()
  const views = new Map<AccountId, SpendingView>()
  const waiting = new Set<AccountId>()
  let calendarNow: Calendar | undefined
  let cancel = (): void => undefined
  let cancelTick = (): void => undefined

  const accountOf = (account: AccountId) => accounts.view().accounts.find(({ id }) => id === account)
  const sources = createCostSources({
    isKnown: (account) => accountOf(account) !== undefined,
    ledger,
    store,
    now,
    recentSince,
    changed,
    report,
  })
  const live = createLiveUsage({
    accounts,
    usage: deps.usage,
    everything: () => store.database() === undefined,
    expected: sources.expectsActive,
    clock,
    online,
    changed,
  })

  function calendar(): Calendar {
    const zone = timeZone()
    if (calendarNow?.timeZone !== zone) calendarNow = calendarIn(zone)
    return calendarNow
  }
  /** The overview is about this month and the one before; in another time zone these begin elsewhere. */
  function recentSince(): number {
    return momentsAt(calendar(), now()).lastMonth - 2 * aDay
  }

  function revisionOf(account: AccountId): CostRevision {
    const view = accountOf(account)
    // An account that the person left is not read any more: what ran then is not taken to run on.
    const left = view?.state === 'signed-out' && view.failure === null
    const liveUsage = live.latest(account)
    const lastRead = liveUsage?.asOf ?? ledger.state(account).usageLastSync ?? 0
    return {
      ...sources.revision(account),
      liveUsage,
      history: history.revision(account),
      assumedCurrency: currencies.setting(account).currency,
      runsUntil: left ? Math.floor(lastRead) : null,
    }
  }
  const books = createCostBooks(now, revisionOf, (account, { charges, runsUntil }, at) =>
    buildBook({
      charges,
      usage: sources.usage(account, live.latest(account)),
      seen: (resource) => history.of(account, resource),
      currencyOf: (resource, reported) => currencies.of(account, resource, reported),
      now: at,
      runsUntil: Math.min(at, runsUntil ?? at),
    }),
  )

  function compute(account: AccountId): SpendingView | undefined {
    const known = accountOf(account)
    if (!known) return undefined
    const costs = books.of(account)
    const zone = calendar()
    const moments = momentsAt(zone, costs.now)
    return {
      account,
      sandbox: known.sandbox,
      asOf: costs.now,
      timeZone: zone.timeZone,
      todayStart: moments.today,
      monthStart: moments.month,
      monthEnd: moments.nextMonth,
      history: sources.history(account, moments.lastMonth),
      usageAsOf: live.latest(account)?.asOf ?? ledger.state(account).usageLastSync,
      failure: live.failure(account),
      running: countRunning(costs),
      currencies: spendingOf(costs, moments),
    }
  }

  function publish(account: AccountId): void {
    const view = compute(account)
    if (!view) return
    views.set(account, view)
    changes.emit(view)
  }
  function publishWaiting(): void {
    cancel = () => undefined
    const changedAccounts = [...waiting]
    waiting.clear()
    changedAccounts.forEach(publish)
  }
  function changed(account: AccountId): void {
    views.delete(account)
    if (waiting.size === 0) cancel = after(gathering, publishWaiting)
    waiting.add(account)
  }
  function scheduleTick(): void {
    cancelTick = after(tick, () => {
      accounts.view().accounts.forEach(({ id }) => publish(id))
      scheduleTick()
    })
  }

  /** The view as last published, or a new one where that is out of date. */
  function view(account: AccountId): SpendingView | undefined {
    const known = views.get(account)
    if (known && isRecent(known.asOf, tick, now())) return known
    const fresh = compute(account)
    if (fresh) views.set(account, fresh)
    return fresh
  }
  const unknownAccount = (): FailureError =>
    new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
  function require(account: AccountId): void {
    if (!accountOf(account)) throw unknownAccount()
  }
  /** Fails with invalid-input (account). */
  function requireView(account: AccountId): SpendingView {
    const found = view(account)
    if (!found) throw unknownAccount()
    return found
  }

  const unfollow = [currencies.onChange(changed), history.onChange(changed)]
  let known: readonly AccountId[] = []
  const follow = (): void => {
    const ids = accounts.view().accounts.map(({ id }) => id)
    for (const id of ids) if (!known.includes(id)) void sources.refresh(id)
    known = ids
  }
  follow()
  unfollow.push(accounts.onChange(follow))
  scheduleTick()

  const queries = costQueries({
    currencies,
    volumes: deps.volumes,
    calendar,
    history: sources.history,
    book: async (account, since) => {
      require(account)
      await sources.refresh(account, since)
      await sumDays(sources.revision(account).charges, calendar(), now())
      return books.of(account)
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
    /** Undefined for an account that is not known. */
    view,
    /** Returns the currencies that statements and usage of an account carry. */
    reportedCurrencies(account: AccountId): readonly string[] {
      const { charges, ledgerUsage } = sources.revision(account)
      const ofUsage = [ledgerUsage, live.latest(account)?.records ?? null].flatMap(currenciesOf)
      return [...charges.currencies, ...ofUsage].filter((currency) => currency !== null)
    },
    requireView,
    onChange: changes.on,
    /** Something began or ended, so that what is charged for is another: asks the service now. */
    refresh: (account: AccountId): Promise<void> => live.read(account),
    windowChanged: live.windowChanged,
    wakeChanged: live.wakeChanged,
    async forgetAccount(account: AccountId): Promise<void> {
      views.delete(account)
      books.forgetAccount(account)
      sources.forgetAccount(account)
      history.forgetAccount(account)
      await currencies.forgetAccount(account)
    },
    close(): void {
      cancel()
      cancelTick()
      unfollow.forEach((stop) => stop())
      sources.close()
      live.close()
    },
  }
}
export type Spending = ReturnType<typeof createSpending>
