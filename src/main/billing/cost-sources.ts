import type { AccountId } from '#shared/bridge/account'
import type { CostHistory } from '#shared/bridge/cost'
import type { LedgerState } from '#shared/bridge/store'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import { singleFlight } from '../core/single-flight'
import type { Database, Store } from '../store/database'
import { readCharges, readChargesSince, readUsage } from './charge-store'
import type { CostRevision } from './cost-books'
import { type Charges, noCharges } from './costs/charges'
import { isRunning, lifetimeOf, mergeUsage, type UsageRecord } from './costs/usage-record'
import type { LiveUsage } from './live-usage'
import { isRecent } from '../core/elapsed'

export interface LedgerNews {
  state(account: AccountId): LedgerState
  onChange(listener: (state: LedgerState) => void): () => void
}

export interface CostSourcesDeps {
  isKnown(account: AccountId): boolean
  readonly ledger: LedgerNews
  readonly store: Pick<Store, 'database' | 'onChange'>
  readonly now: Clock['now']
  /** From when on statements are read unless earlier ones are asked about: epoch seconds. */
  recentSince(): number
  changed(account: AccountId): void
  readonly report: ReportError
}

/** Seconds between two readings of a ledger that is still being filled. */
const whileFilling = 15
/** Statements of so many seconds are read again whenever the ledger changes; older ones hardly ever do. */
const recent = 35 * 86_400
/** Seconds after which all of them are read again all the same: somebody may have corrected an old one. */
const anewAfter = 1_800

interface Kept {
  readonly database: Database
  readonly state: LedgerState
  readonly charges: Charges
  /** How many statements the ledger has besides. */
  readonly leftOut: number
  readonly usage: readonly UsageRecord[]
  /** Epoch seconds: when anything was read, and when everything was. */
  readonly readAt: number
  readonly readAllAt: number
}

/** What the costs of an account follow from besides what runs now: the ledger's statements and usage. */
export function createCostSources(deps: CostSourcesDeps) {
  const { isKnown, ledger, store, now, recentSince, changed, report } = deps
  const kept = new Map<AccountId, Kept>()
  /** The earliest that anybody has asked about: statements from then on are kept. */
  const needed = new Map<AccountId, number>()
  const readers = new Map<AccountId, () => Promise<void>>()

  const keptOf = (account: AccountId): Kept | undefined => {
    const found = kept.get(account)
    return found?.database === store.database() ? found : undefined
  }

  async function readFrom(database: Database, account: AccountId): Promise<Kept> {
    const before = keptOf(account)
    const since = needed.get(account) ?? recentSince()
    const state = ledger.state(account)
    const started = now()
    const usage = await readUsage(database, account, state.usageLastSync ?? 0)
    const reaches = before !== undefined && before.charges.since <= since
    if (reaches && before.state.revision === state.revision)
      return { ...before, state, usage, readAt: started }
    if (reaches && before.state.complete && started - before.readAllAt < anewAfter) {
      const from = Math.max(started - recent, before.charges.since)
      const charges = await readCharges(database, account, before.charges, from)
      if (charges.count + before.leftOut === state.known)
        return { ...before, state, charges, usage, readAt: started }
    }
    // Where more is asked about than before, everything may be.
    const charges = await readChargesSince(database, account, before && !reaches ? -Infinity : since)
    const leftOut = charges.since === -Infinity ? 0 : Math.max(0, state.known - charges.count)
    return { database, state, charges, leftOut, usage, readAt: started, readAllAt: started }
  }

  async function read(account: AccountId): Promise<void> {
    const database = store.database()
    if (database === undefined) kept.delete(account)
    else {
      try {
        const next = await readFrom(database, account)
        // The account may have been forgotten since.
        if (readers.has(account)) kept.set(account, next)
      } catch (error) {
        // A database that was closed under the reading is no fault: the next one is read when it opens.
        if (store.database() === database) report('cost.read', error)
      }
    }
    changed(account)
  }

  function reader(account: AccountId): () => Promise<void> {
    const known = readers.get(account) ?? singleFlight(() => read(account))
    readers.set(account, known)
    return known
  }

  function isStale(account: AccountId, since: number): boolean {
    if (store.database() === undefined) return kept.has(account)
    const before = keptOf(account)
    if (before === undefined || before.charges.since > since) return true
    const state = ledger.state(account)
    if (state.reading && !state.complete && isRecent(before.readAt, whileFilling, now())) return false
    const { revision, lastSync, usageLastSync, complete } = before.state
    return (
      revision !== state.revision ||
      lastSync !== state.lastSync ||
      usageLastSync !== state.usageLastSync ||
      complete !== state.complete
    )
  }

  /**
   * Reads the ledger where that has changed since it was read, or lacks something of the time since `since` (epoch
   * seconds): first what is recent, so that a question about no more is answered early. Never fails.
   */
  async function refresh(account: AccountId, since = Infinity): Promise<void> {
    const from = Math.min(since, recentSince())
    if (isKnown(account)) needed.set(account, Math.min(needed.get(account) ?? Infinity, from))
    // What changes during a reading, or makes it fail, is worth one more; so is what a reading before asked less of.
    for (let round = 0; round < 3 && isKnown(account) && isStale(account, from); round += 1)
      await reader(account)()
  }

  const unfollow = [
    ledger.onChange(({ account }) => void refresh(account)),
    store.onChange(() => [...readers.keys()].forEach((account) => void refresh(account))),
  ]

  return {
    refresh,
    /** Other objects once anything that the ledger's usage or charges follow from has changed. */
    revision(account: AccountId): Pick<CostRevision, 'charges' | 'ledgerUsage'> {
      const found = keptOf(account)
      return {
        charges: found?.charges ?? noCharges,
        ledgerUsage: found?.usage ?? null,
      }
    },
    /** With what the service says runs now. */
    usage: (account: AccountId, live: LiveUsage | null): readonly UsageRecord[] =>
      mergeUsage(keptOf(account)?.usage ?? [], live, now()),
    /** Whether the ledger says that something is active. */
    expectsActive: (account: AccountId): boolean =>
      (keptOf(account)?.usage ?? []).some((record) => isRunning(lifetimeOf(record), now())),
    /** How much is known of what was charged since `since` (epoch seconds). */
    history: (account: AccountId, since: number): CostHistory => {
      const found = keptOf(account)
      if (found) return found.state.complete && found.charges.since <= since ? 'complete' : 'partial'
      return store.database() === undefined ? 'none' : 'partial'
    },
    forgetAccount(account: AccountId): void {
      readers.delete(account)
      kept.delete(account)
      needed.delete(account)
    },
    close: (): void => unfollow.forEach((stop) => stop()),
  }
}
