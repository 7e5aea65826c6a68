import type { AccountId } from '#shared/bridge/account'
import type { CostHistory } from '#shared/bridge/cost'
import type { LedgerState } from '#shared/bridge/store'
import { type Clock, yieldToEventLoop } from '../core/clock'
import { isRecent } from '../core/elapsed'
import type { ReportError } from '../core/report-error'
import { singleFlight } from '../core/single-flight'
import type { Database, Store } from '../store/database'
import { costDayTable } from './cost-day-table'
import { noCharges, type StoredCharges } from './costs/charge'
import { isRunning, lifetimeOf, mergeUsage, usageRecordOf, type UsageRecord } from './costs/usage-record'
import type { LiveUsage } from './live-usage'
import { numberOrNull, textOf, textOrNull } from './row-values'
import { storedCharges } from './stored-charges'

export interface LedgerNews {
  state(account: AccountId): LedgerState
  onChange(listener: (state: LedgerState) => void): () => void
}

export interface LedgerCostsDeps {
  isKnown(account: AccountId): boolean
  readonly ledger: LedgerNews
  readonly store: Pick<Store, 'database' | 'onChange'>
  /** IANA name of the user's time zone. */
  timeZone(): string
  readonly now: Clock['now']
  changed(account: AccountId): void
  readonly report: ReportError
}

/** Seconds between two readings of usage during the first reading of the ledger. */
const fillingInterval = 15
/** Usage entries per step. Each step blocks the main process for a few milliseconds. */
const readAtOnce = 5_000

/**
 * Reads the usage of an account in the ledger, each entry as last reported. `usageLastSync` (epoch seconds) replaces
 * an unknown time of the report. Fails with local-fault.
 */
export async function readUsage(
  database: Database,
  account: AccountId,
  usageLastSync: number,
): Promise<readonly UsageRecord[]> {
  const records: UsageRecord[] = []
  const next = database.prepare(
    `SELECT id, resource_id, name, display_name, type, per_minute, total_fee, total_uptime, created_time,
       terminated_time, status, currency, seen_at
     FROM usage_entry WHERE account = ? AND id > ? ORDER BY id LIMIT ${String(readAtOnce)}`,
  )
  for (let after = ''; ;) {
    const rows = next.arrays(account, after)
    for (const [id, resource, name, displayName, type, perMinute, fee, uptime, ...rest] of rows) {
      const [created, terminated, status, currency, seenAt] = rest
      records.push(
        usageRecordOf({
          id: textOf(id),
          resource: textOf(resource),
          name: textOrNull(displayName) ?? textOrNull(name),
          type: textOrNull(type),
          perMinute: textOrNull(perMinute),
          life: numberOrNull(fee),
          minutes: numberOrNull(uptime),
          created: numberOrNull(created),
          terminated: numberOrNull(terminated),
          status: textOrNull(status),
          currency: textOrNull(currency),
          reportedAt: numberOrNull(seenAt) ?? usageLastSync,
        }),
      )
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < readAtOnce) return records
    after = textOf(last[0])
    await yieldToEventLoop()
  }
}

interface ReadUsage {
  readonly database: Database
  readonly state: LedgerState
  readonly usage: readonly UsageRecord[]
  /** Epoch seconds. */
  readonly readAt: number
}

interface KnownCharges {
  readonly database: Database
  readonly revision: number
  readonly charges: StoredCharges
  readonly currencies: readonly (string | null)[]
}

/** Costs from the ledger: charges by day, which stay in the store, and usage, which is cached in memory. */
export function createLedgerCosts(deps: LedgerCostsDeps) {
  const { isKnown, ledger, store, timeZone, now, changed, report } = deps
  const read = new Map<AccountId, ReadUsage>()
  const known = new Map<AccountId, KnownCharges>()
  const flights = new Map<
    AccountId,
    { readonly read: () => Promise<void>; readonly rebuild: () => Promise<void> }
  >()

  const readOf = (account: AccountId): ReadUsage | undefined => {
    const found = read.get(account)
    return found?.database === store.database() ? found : undefined
  }

  async function readNow(account: AccountId): Promise<void> {
    const database = store.database()
    if (database === undefined) read.delete(account)
    else {
      try {
        const state = ledger.state(account)
        const readAt = now()
        const usage = await readUsage(database, account, state.usageLastSync ?? 0)
        // The account may have been forgotten since.
        if (flights.has(account)) read.set(account, { database, state, usage, readAt })
      } catch (error) {
        // The database may have been closed. The next one is read when it opens.
        if (store.database() === database) report('cost.read', error)
      }
    }
    changed(account)
  }

  function isStale(account: AccountId): boolean {
    if (store.database() === undefined) return read.has(account)
    const before = readOf(account)
    if (before === undefined) return true
    const state = ledger.state(account)
    if (state.reading && !state.complete && isRecent(before.readAt, fillingInterval, now())) return false
    const { revision, lastSync, usageLastSync, complete } = before.state
    return (
      revision !== state.revision ||
      lastSync !== state.lastSync ||
      usageLastSync !== state.usageLastSync ||
      complete !== state.complete
    )
  }

  const isBuilt = (account: AccountId): boolean => {
    const database = store.database()
    return database === undefined || costDayTable(database, account, timeZone).isBuilt(timeZone())
  }

  async function rebuild(account: AccountId): Promise<void> {
    const database = store.database()
    try {
      if (database === undefined || isBuilt(account)) return
      await costDayTable(database, account, timeZone).rebuild(timeZone())
      known.delete(account)
      changed(account)
    } catch (error) {
      if (store.database() === database) report('cost.read', error)
    }
  }

  function flightsOf(account: AccountId) {
    const flying = flights.get(account) ?? {
      read: singleFlight(() => readNow(account)),
      rebuild: singleFlight(() => rebuild(account)),
    }
    flights.set(account, flying)
    return flying
  }

  /** Reads the usage of the ledger if it changed, and rebuilds the days if the time zone changed. Never fails. */
  async function refresh(account: AccountId): Promise<void> {
    // Another round follows a change during a reading, or a failure.
    for (let round = 0; round < 3 && isKnown(account) && isStale(account); round += 1)
      await flightsOf(account).read()
    if (isKnown(account)) await flightsOf(account).rebuild()
  }

  const unfollow = [
    ledger.onChange(({ account }) => void refresh(account)),
    store.onChange(() => [...flights.keys()].forEach((account) => void refresh(account))),
  ]

  /** Returns the same object until a charge changes. Fails with local-fault. */
  function charges(account: AccountId): StoredCharges {
    const database = store.database()
    if (database === undefined) return noCharges
    const { revision } = ledger.state(account)
    const found = known.get(account)
    if (found?.database === database && found.revision === revision) return found.charges
    const stored = storedCharges(database, account)
    const currencies = [...new Set(stored.lines.map(({ currency }) => currency))]
    known.set(account, { database, revision, charges: stored, currencies })
    return stored
  }

  return {
    refresh,
    isBuilt,
    charges,
    /** Returns the currencies that statements report: none if the store cannot be read. */
    currencies(account: AccountId): readonly (string | null)[] {
      try {
        charges(account)
        return known.get(account)?.currencies ?? []
      } catch (error) {
        report('cost.read', error)
        return []
      }
    },
    /**
     * Returns the usage of the ledger without live usage: the same object until the next reading. Null before the
     * first.
     */
    ledgerUsage: (account: AccountId): readonly UsageRecord[] | null => readOf(account)?.usage ?? null,
    /** Returns the usage of the ledger, updated with live usage. */
    usage: (account: AccountId, live: LiveUsage | null): readonly UsageRecord[] =>
      mergeUsage(readOf(account)?.usage ?? [], live, now()),
    /** Whether the ledger contains active usage. */
    expectsActive: (account: AccountId): boolean =>
      (readOf(account)?.usage ?? []).some((record) => isRunning(lifetimeOf(record), now())),
    history: (account: AccountId): CostHistory => {
      const found = readOf(account)
      if (found) return found.state.complete && isBuilt(account) ? 'complete' : 'partial'
      return store.database() === undefined ? 'none' : 'partial'
    },
    forgetAccount(account: AccountId): void {
      flights.delete(account)
      read.delete(account)
      known.delete(account)
    },
    close: (): void => unfollow.forEach((stop) => stop()),
  }
}
