import type { AccountId } from '#shared/bridge/account'
import type { CostHistory } from '#shared/bridge/cost'
import type { LedgerState } from '#shared/bridge/store'
import { shared } from '../fleet/list-revisions'
import type { Store } from '../store/database'
import { readCharges, readUsage } from './charge-store'
import { type Charges, noCharges } from './costs/charges'
import { mergeUsage, type UsageRecord } from './costs/usage-record'
import type { LiveUsage } from './live-usage'

export interface Ledger {
  state(account: AccountId): LedgerState
  onChange(listener: (state: LedgerState) => void): () => void
}

export interface CostSourcesParts {
  readonly ledger: Ledger
  readonly store: Pick<Store, 'database' | 'onChange'>
  live(account: AccountId): LiveUsage | null
  /** Epoch seconds. */
  now(): number
  changed(account: AccountId): void
  /** Something that the person did not wait for failed. */
  report(action: string, error: unknown): void
}

/** Seconds between two readings of a ledger that is still being filled. */
const whileFilling = 15

interface Kept {
  readonly charges: Charges
  readonly usage: readonly UsageRecord[]
  readonly readAt: number
}

const nothing: Kept = { charges: noCharges, usage: [], readAt: -Infinity }

/** What the costs of an account follow from: the ledger's statements and usage, and what the service says runs now. */
export function createCostSources({ ledger, store, live, now, changed, report }: CostSourcesParts) {
  const kept = new Map<AccountId, Kept>()
  const readers = new Map<AccountId, () => Promise<void>>()
  /** The state of the ledger at the last reading, or undefined where it is out of date. */
  const readFor = new Map<AccountId, string>()

  const marks = ({ known, lastSync, complete }: LedgerState): string =>
    JSON.stringify([known, lastSync, complete])

  async function read(account: AccountId): Promise<void> {
    const database = store.database()
    const state = ledger.state(account)
    readFor.set(account, marks(state))
    try {
      const next: Kept =
        database === undefined
          ? nothing
          : {
              charges: await readCharges(database, account),
              usage: await readUsage(database, account, state.lastSync ?? 0),
              readAt: now(),
            }
      kept.set(account, next)
    } catch (error) {
      readFor.delete(account)
      report('costs.read', error)
    }
    changed(account)
  }

  function reader(account: AccountId): () => Promise<void> {
    const known = readers.get(account) ?? shared(() => read(account))
    readers.set(account, known)
    return known
  }

  function isStale(account: AccountId): boolean {
    const state = ledger.state(account)
    const filling = state.reading && now() - (kept.get(account)?.readAt ?? -Infinity) < whileFilling
    return readFor.get(account) !== marks(state) && !filling
  }
  /** Reads the ledger where that has changed since it was read. Never fails. */
  async function refresh(account: AccountId): Promise<void> {
    // What changes during a reading, or makes it fail, is worth one more.
    for (let turn = 0; turn < 2 && isStale(account); turn += 1) await reader(account)()
  }

  const unfollow = [
    ledger.onChange(({ account }) => void refresh(account)),
    store.onChange(() => {
      readFor.clear()
      for (const account of kept.keys()) void refresh(account)
    }),
  ]

  return {
    refresh,
    charges: (account: AccountId): Charges => (kept.get(account) ?? nothing).charges,
    usage: (account: AccountId): readonly UsageRecord[] =>
      mergeUsage((kept.get(account) ?? nothing).usage, live(account)),
    history: (account: AccountId): CostHistory => {
      if (store.database() === undefined) return 'none'
      return ledger.state(account).complete ? 'complete' : 'partial'
    },
    forgetAccount(account: AccountId): void {
      kept.delete(account)
      readers.delete(account)
      readFor.delete(account)
    },
    close: (): void => unfollow.forEach((stop) => stop()),
  }
}
export type CostSources = ReturnType<typeof createCostSources>
