import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import type { ledgerCalls, ledgerEvents, LedgerState } from '#shared/bridge/store'
import type { Accounts } from '../../accounts/index'
import { type Clock, yieldToEventLoop } from '../../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../../core/module'
import type { ReportError } from '../../core/report-error'
import type { PollInterval } from '../../core/poll-interval'
import { createPoller } from '../../core/poller'
import type { Database, Store } from '../../store/database'
import { forgottenLedger } from '../../store/document-table'
import { type AccountLedger, accountLedger, nothingKnown } from './account-ledger'
import { ledgerTable } from './tables'

export interface LedgerDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly store: Pick<Store, 'database' | 'onChange'>
  /** IANA name of the user's time zone. */
  timeZone(): string
  readonly clock: Clock
  online(): boolean
  readonly report: ReportError
}

/** Seconds between two readings of new rows. */
const ledgerPollInterval: PollInterval = { focused: 60, background: 300 }

/** Statements and usage of all accounts, read in the background into the store. */
export function createLedger({ accounts, store, timeZone, clock, online, report }: LedgerDeps) {
  const changes = createEmitter<LedgerState>()
  const poller = createPoller<AccountLedger>({
    accounts,
    clock,
    online,
    pollInterval: ledgerPollInterval,
    open: (account) =>
      accountLedger({
        account,
        billing: () => accounts.service(account).billing,
        database: store.database,
        timeZone,
        now: clock.now,
        publish: changes.emit,
      }),
  })

  /**
   * Removes the rows of accounts that the user removed while the store was closed. Keeps the rows of accounts that
   * only this version does not recognise.
   */
  async function removeForgotten(database: Database): Promise<void> {
    // Another listener of the store marks the accounts first.
    await yieldToEventLoop()
    const marked = database.prepare('SELECT DISTINCT account FROM ledger_sync WHERE state = ?')
    for (const account of marked.arrays(forgottenLedger).flat()) {
      if (typeof account !== 'string') continue
      const tables = (['statements', 'usage'] as const).map((list) => ledgerTable(database, account, list))
      for (const table of tables) await table.clear()
      // The mark goes last, so that an interrupted removal continues at the next opening.
      tables.forEach((table) => table.forgetProgress())
    }
  }

  let opened = store.database()
  const unfollow = store.onChange(() => {
    const database = store.database()
    if (database === undefined || database === opened) return
    opened = database
    removeForgotten(database).catch((error: unknown) => report('ledger.forget', error))
    // Publishes the stored state, signed in or not.
    for (const { id, state } of accounts.view().accounts) {
      const ledger = poller.find(id)
      if (!ledger) continue
      try {
        changes.emit(ledger.state())
      } catch (error) {
        // Other listeners of the store must be notified all the same.
        report('ledger.state', error)
      }
      if (state === 'signed-in') void poller.read(id)
    }
  })

  const handlers: HandlersOf<typeof ledgerCalls> = {
    'ledger.state': ({ account }) => poller.get(account).state(),
  }

  const events: EventsOf<typeof ledgerEvents> = { 'ledger.changed': changes.on }

  return defineModule({
    handlers,
    events,
    /** Returns an empty state for an account that was just added. */
    state: (account: AccountId): LedgerState => poller.find(account)?.state() ?? nothingKnown(account),
    onChange: changes.on,
    /** Reads new rows immediately. Fails with invalid-input (account). */
    syncNow: (account: AccountId): Promise<void> => poller.read(account),
    /** Reads everything again. Fails with invalid-input (account). */
    readAll: (account: AccountId): Promise<void> => poller.get(account).readAll(),
    /** Removes all rows of the account. Fails with local-fault. */
    async forgetAccount(account: AccountId): Promise<void> {
      await poller.find(account)?.forget()
    },
    windowChanged: poller.windowChanged,
    /** A reading resumes at its last place after sleep. */
    wakeChanged: poller.wakeChanged,
    async close(): Promise<void> {
      unfollow()
      const ledgers = accounts.view().accounts.map(({ id }) => poller.find(id))
      poller.close()
      await Promise.all(ledgers.map(async (ledger) => ledger?.close()))
    },
  })
}
export type Ledger = ReturnType<typeof createLedger>
