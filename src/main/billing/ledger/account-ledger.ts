import type { AccountId } from '#shared/bridge/account'
import type { LedgerState } from '#shared/bridge/store'
import type { Failure } from '#shared/failure'
import type { Statement, Usage } from '#shared/service/billing'
import type { Action } from '#shared/messages/en/actions'
import { failureOf } from '../../core/failure-of'
import type { Clock } from '../../core/clock'
import { createMutex } from '../../core/mutex'
import { singleFlight } from '../../core/single-flight'
import { unreadableView } from '../../core/unreadable'
import type { Service } from '../../service/index'
import type { Database } from '../../store/database'
import { costDayTable } from '../cost-day-table'
import { createListReader, type ListReader } from './read-list'
import { statementRow, usageRow } from './rows'
import { ledgerTable, type LedgerTable, newestUsage, settledBefore } from './tables'
import { isRecent } from '../../core/elapsed'

/** Seconds between two pages of the slow second reading: 100,000 statements take 17 hours. */
const rollInterval = 600

export interface AccountLedgerDeps {
  readonly account: AccountId
  /** Fails with not-signed-in. */
  billing(): Pick<Service['billing'], 'statements' | 'usage'>
  database(): Database | undefined
  /** IANA name of the time zone in which a new account's days begin. */
  timeZone(): string
  readonly now: Clock['now']
  publish(state: LedgerState): void
  /** Seconds between two pages of the slow second reading. */
  readonly rollEvery?: number
}

interface Kept {
  readonly database: Database
  readonly statements: LedgerTable
  readonly usage: LedgerTable
}

/** Returns the state of an account's ledger before the first reading. */
export const nothingKnown = (account: AccountId): LedgerState => ({
  account,
  revision: 0,
  known: 0,
  total: null,
  complete: false,
  reading: false,
  lastSync: null,
  usageLastSync: null,
  failure: null,
})

interface ListReaders {
  readonly statements: ListReader
  readonly usage: ListReader
}

/** State of an account's ledger, and how its readers change it. */
interface ReaderContext {
  readonly signal: AbortSignal
  stopped(): boolean
  current(): LedgerState
  replace(change: Partial<LedgerState>): void
}

function listReaders(
  { account, billing, now }: AccountLedgerDeps,
  { database: open, statements, usage }: Kept,
  { signal, stopped, current, replace }: ReaderContext,
): ListReaders {
  const common = { now, stopped }
  return {
    statements: createListReader<Statement>({
      ...common,
      table: statements,
      list: (page) => billing().statements(page, signal),
      sortField: 'started_time',
      place: ({ id, started_time }) => ({ id, time: started_time }),
      row: statementRow,
      settledBefore: (asOf) => settledBefore(open, account, asOf),
      head: { isOpen: ({ status }) => status !== 'paid' },
      onWritten: (changed, { complete, sweep, total }) => {
        const { revision, known } = current()
        replace({
          revision: revision + (changed > 0 ? 1 : 0),
          // Counting gets slower with more rows, so a first reading reports its offset instead.
          known: complete ? statements.count() : Math.max(known, sweep?.offset ?? 0),
          total,
        })
      },
    }),
    usage: createListReader<Usage>({
      ...common,
      table: usage,
      list: (page) => billing().usage(page, signal),
      sortField: 'created_time',
      place: ({ id, created_time }) => ({ id, time: created_time ?? 0 }),
      row: usageRow,
      settledBefore: () => newestUsage(open, account),
      onWritten: (changed) => {
        if (changed > 0) replace({ revision: current().revision + 1 })
      },
    }),
  }
}

async function attempt(action: Action, read: () => Promise<unknown>): Promise<Failure | null> {
  try {
    await read()
    return null
  } catch (error) {
    return failureOf(error, action)
  }
}

/** Ledger of one account: statements and usage from the service, in the store. */
export function accountLedger(deps: AccountLedgerDeps) {
  const { account, database, timeZone, now, publish, rollEvery = rollInterval } = deps
  let stopped = false
  const ending = new AbortController()
  const { signal } = ending
  let state: LedgerState | undefined
  let kept: Kept | undefined

  const nothing = nothingKnown(account)

  /** Returns the lists in the open database. In another database than before, they are read from the beginning. */
  function lists(): Kept | undefined {
    const open = database()
    if (open === undefined) return undefined
    if (kept?.database !== open) {
      const costDays = costDayTable(open, account, timeZone)
      kept = {
        database: open,
        statements: ledgerTable(open, account, 'statements', costDays),
        usage: ledgerTable(open, account, 'usage'),
      }
      state = undefined
    }
    return kept
  }

  const progressOf = ({ statements, usage }: Kept) => {
    const { total, complete, asOf, unreadable } = statements.progress()
    const ofUsage = usage.progress()
    const odd = [unreadable, ofUsage.unreadable].flatMap((records) => Object.entries(records))
    return {
      known: statements.count(),
      total,
      complete,
      lastSync: complete ? asOf : null,
      usageLastSync: ofUsage.complete ? ofUsage.asOf : null,
      unreadable: unreadableView(odd.map(([id, { text }]) => ({ id, text, index: 0 }))),
    }
  }

  function current(): LedgerState {
    const found = lists()
    if (found === undefined) return nothing
    state ??= { ...nothing, revision: 1, ...progressOf(found) }
    return state
  }

  function replace(change: Partial<LedgerState>): void {
    const next = { ...current(), ...change }
    state = next
    publish(next)
  }

  async function readInto(act: (read: ListReaders) => Promise<Failure | null>): Promise<void> {
    const found = signal.aborted ? undefined : lists()
    if (found === undefined) return
    stopped = false
    replace({ reading: true })
    const isStopped = (): boolean => stopped || signal.aborted || database() !== found.database
    const context = { signal, stopped: isStopped, current, replace }
    const failure = await act(listReaders(deps, found, context))
    if (signal.aborted || database() !== found.database) return
    const failed = failure?.kind === 'cancelled' ? null : failure
    replace({ ...progressOf(found), reading: false, failure: failed })
  }

  async function reading(act: (read: ListReaders) => Promise<Failure | null>): Promise<void> {
    const open = database()
    try {
      await readInto(act)
    } catch (error) {
      // Reading the progress from the store may fail too. A database that was closed during it is no failure.
      if (signal.aborted || database() !== open) return
      state = { ...(state ?? nothing), reading: false, failure: failureOf(error, 'ledger.keep') }
      publish(state)
    }
  }

  const update = (): Promise<void> =>
    reading(async ({ statements, usage }) => {
      const first = await attempt('ledger.statements', async () => {
        const { complete, sorted, rolledAt } = await statements.update()
        if (complete && sorted && !isRecent(rolledAt, rollEvery, now())) await statements.roll()
      })
      const second = stopped || signal.aborted ? null : await attempt('ledger.usage', () => usage.update())
      return first ?? second
    })

  // Readings resume from the same place, so only one runs at a time.
  const runExclusive = createMutex()
  const refresh = singleFlight(() => runExclusive(update))
  const readAll = singleFlight(() =>
    runExclusive(() =>
      reading(async ({ statements, usage }) => {
        const first = await attempt('ledger.statements', () => statements.readAll())
        return first ?? (await attempt('ledger.usage', () => usage.readAll()))
      }),
    ),
  )

  return {
    state: current,
    /** Reads new rows. Callers share a reading in flight. Never fails: see `failure`. */
    refresh,
    /** Reads everything again. Never fails. */
    readAll,
    failure: (): Failure | null => current().failure,
    moving: (): boolean => false,
    /** Stops reading after the user signed out. The rows stay. */
    clear: (): void => {
      stopped = true
      if (state?.failure) replace({ failure: null })
    },
    /** Cancels the current reading. Nothing is read or written after the promise resolves. */
    close: (): Promise<void> => {
      ending.abort()
      return runExclusive(() => Promise.resolve())
    },
    /** Removes all rows of the account. Fails with local-fault. */
    async forget(): Promise<void> {
      stopped = true
      const found = lists()
      if (found === undefined) return
      for (const table of [found.statements, found.usage]) {
        // The progress goes first: rows without progress are read again, and never count as complete.
        table.forgetProgress()
        await table.clear()
      }
      state = undefined
    },
  }
}
export type AccountLedger = ReturnType<typeof accountLedger>
