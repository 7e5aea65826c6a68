import type { AccountId } from '#shared/bridge/account'
import { type FleetChange, type fleetCalls, LastList } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { defineModule } from '../core/module'
import type { ReportError } from '../core/report-error'
import type { Database, Store } from '../store/database'
import type { Fleet } from './index'

export interface LastListsDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly fleet: Pick<Fleet, 'onChange' | 'snapshot'>
  readonly store: Pick<Store, 'file' | 'state' | 'onChange'>
  readonly clock: Pick<Clock, 'after'>
  readonly report: ReportError
}

/** Delay from a change to writing: a starting machine changes its list several times. */
const writeDelaySeconds = 60

/**
 * Stores the machine lists of accounts that sign in automatically, encrypted, so that the next start can show them before
 * the service answers. Only the window uses them: old data must cause no alert, cost or notice.
 */
export function createLastLists({ accounts, fleet, store, clock, report }: LastListsDeps) {
  /** Accounts whose list may differ from the stored one. */
  const changed = new Set<AccountId>()
  /** Accounts whose first reading was marked as changed, since stored lists are not compared. */
  const firstReadNoted = new Set<AccountId>()
  let cancel: (() => void) | undefined

  const readStaying = (): ReadonlySet<AccountId> =>
    new Set(accounts.view().accounts.flatMap(({ id, staysSignedIn }) => (staysSignedIn ? [id] : [])))
  let staying = readStaying()

  function attempt(work: (file: Database) => void): void {
    const file = store.file()
    if (!file) return
    try {
      work(file)
    } catch (error) {
      report('fleet.keepList', error)
    }
  }

  const drop = (account: AccountId): void =>
    attempt((file) => void file.prepare('DELETE FROM last_list WHERE account = ?').run(account))

  /** Stores a list. A list that was not read completely yet stays as the last run stored it. */
  function write(account: AccountId): void {
    const { machines, status } = fleet.snapshot(account) ?? {}
    if (!machines || !status || status.asOf === null) return
    const { asOf } = status
    attempt((file) => {
      if (changed.has(account))
        file
          .prepare('INSERT OR REPLACE INTO last_list VALUES (?, ?, ?)')
          .run(account, asOf, JSON.stringify(machines))
      else file.prepare('UPDATE last_list SET as_of = ? WHERE account = ?').run(asOf, account)
      changed.delete(account)
    })
  }

  function writeChanged(): void {
    cancel = undefined
    changed.forEach(write)
  }

  function noteChanged(account: AccountId): void {
    changed.add(account)
    cancel ??= clock.after(writeDelaySeconds, writeChanged)
  }

  function noteChange({ account, upserts, removes, status }: FleetChange): void {
    if (!staying.has(account)) return
    const isFirst = status.asOf !== null && !firstReadNoted.has(account)
    if (isFirst) firstReadNoted.add(account)
    if (isFirst || upserts.length + removes.length > 0) noteChanged(account)
  }

  /** Deletes the lists of accounts that no longer stay signed in, and stores the lists of new ones. */
  function followAccounts(): void {
    const previous = staying
    staying = readStaying()
    for (const account of previous) {
      if (staying.has(account)) continue
      changed.delete(account)
      drop(account)
    }
    for (const account of staying) if (!previous.has(account)) noteChanged(account)
  }

  /** Deletes lists of accounts that were signed out while the store was closed. */
  function dropOthers(): void {
    attempt((file) => {
      for (const [account] of file.prepare('SELECT account FROM last_list').arrays())
        if (typeof account === 'string' && !staying.has(account)) drop(account)
    })
  }

  const whenOpened = (): Promise<void> =>
    store.state().kind === 'opening'
      ? new Promise((resolve) => {
          const stop = store.onChange(({ kind }) => {
            if (kind === 'opening') return
            stop()
            resolve()
          })
        })
      : Promise.resolve()

  function read(account: AccountId): LastList | null {
    if (!staying.has(account)) return null
    let list: LastList | null = null
    attempt((file) => {
      const row = file.prepare('SELECT as_of, json FROM last_list WHERE account = ?').get(account)
      if (typeof row?.json !== 'string') return
      // Views of an older version may lack fields.
      const machines: unknown = JSON.parse(row.json)
      list = LastList.safeParse({ asOf: row.as_of, machines }).data ?? null
    })
    return list
  }

  const handlers: HandlersOf<Pick<typeof fleetCalls, 'fleet.lastList'>> = {
    'fleet.lastList': async ({ account }) => {
      await whenOpened()
      return read(account)
    },
  }
  const ends = [fleet.onChange(noteChange), accounts.onChange(followAccounts), store.onChange(dropOthers)]

  return defineModule({
    handlers,
    events: {},
    forgetAccount: 'follows-accounts',
    close(): void {
      ends.forEach((end) => end())
      cancel?.()
      // Also stores the time of the last reading, if that changed nothing.
      staying.forEach(write)
    },
  })
}
