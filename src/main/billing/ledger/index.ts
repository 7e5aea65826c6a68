import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import type { ledgerCalls, LedgerState } from '#shared/bridge/store'
import type { Accounts } from '../../accounts/index'
import type { PollInterval } from '../../core/poll-interval'
import { createPoller } from '../../core/poller'
import type { Database, Store } from '../../store/database'
import { type AccountLedger, accountLedger, nothingKnown } from './account-ledger'
import { ledgerTable } from './tables'

export interface LedgerDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly store: Pick<Store, 'database' | 'onChange'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  online(): boolean
  /** Something that the person did not wait for failed. */
  report(action: string, error: unknown): void
}

/** Seconds between two looks at what is new. */
const ledgerPollInterval: PollInterval = { focused: 60, background: 300 }

/** Statements and usage of all accounts, read in the background into the store. */
export function createLedger({ accounts, store, now, after, online, report }: LedgerDeps) {
  const listeners = new Set<(state: LedgerState) => void>()
  const publish = (state: LedgerState): void => listeners.forEach((listener) => listener(state))
  const poller = createPoller<AccountLedger>({
    accounts,
    clock: { now, after },
    online,
    pollInterval: ledgerPollInterval,
    open: (account) =>
      accountLedger({
        account,
        billing: () => accounts.service(account).billing,
        database: store.database,
        now,
        publish,
      }),
  })

  /** Rows of accounts that were forgotten while the store could not be opened. */
  async function forgetStrangers(database: Database): Promise<void> {
    const known = new Set<unknown>(accounts.view().accounts.map(({ id }) => id))
    const kept = database.prepare('SELECT DISTINCT account FROM ledger_sync').arrays().flat()
    for (const account of kept) {
      if (typeof account !== 'string' || known.has(account)) continue
      for (const list of ['statements', 'usage'] as const) {
        const table = ledgerTable(database, account, list)
        await table.clear()
        table.forgetProgress()
      }
    }
  }

  let opened = store.database()
  const unfollow = store.onChange(() => {
    const database = store.database()
    if (database === undefined || database === opened) return
    opened = database
    forgetStrangers(database).catch((error: unknown) => report('ledger.forget', error))
    // What was kept before is known again, signed in or not.
    for (const { id, state } of accounts.view().accounts) {
      const ledger = poller.find(id)
      if (!ledger) continue
      try {
        publish(ledger.state())
      } catch (error) {
        // It reads the database, and the store tells others of the change after this.
        report('ledger.state', error)
      }
      if (state === 'signed-in') void poller.read(id)
    }
  })

  const handlers: HandlersOf<typeof ledgerCalls> = {
    'ledger.state': ({ account }) => poller.get(account).state(),
  }

  return {
    handlers,
    /** Of an account that was just added nothing is known. */
    state: (account: AccountId): LedgerState => poller.find(account)?.state() ?? nothingKnown(account),
    onChange(listener: (state: LedgerState) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Reads what is new now instead of at the next turn. Fails with invalid-input (account). */
    syncNow: (account: AccountId): Promise<void> => poller.read(account),
    /** Reads everything once more. Fails with invalid-input (account). */
    readAll: (account: AccountId): Promise<void> => poller.get(account).readAll(),
    /** Removes all that is kept of the account. Fails with local-fault. */
    async forgetAccount(account: AccountId): Promise<void> {
      await poller.find(account)?.forget()
    },
    windowChanged: poller.windowChanged,
    /** What is being read goes on where it was, once the computer is awake. */
    wakeChanged: poller.wakeChanged,
    close(): void {
      unfollow()
      for (const { id } of accounts.view().accounts) poller.find(id)?.stop()
      poller.close()
    },
  }
}
export type Ledger = ReturnType<typeof createLedger>
