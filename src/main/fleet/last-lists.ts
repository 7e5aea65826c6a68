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

/** Seconds from a change of a list to its writing: a machine that starts changes it several times. */
const writeAfter = 60

/**
 * The list of machines of each account that signs in automatically, kept in the encrypted store: the next run can show it
 * before the service has answered. It is for the window alone. What this run knows of machines is the fleet's, so that
 * nothing old makes an alert, a cost or a notice.
 */
export function createLastLists({ accounts, fleet, store, clock, report }: LastListsDeps) {
  /** Lists that may differ from what is written: the first reading's always, as what an earlier run kept is not compared. */
  const changed = new Set<AccountId>()
  const compared = new Set<AccountId>()
  let cancel: (() => void) | undefined

  const staying = (): ReadonlySet<AccountId> =>
    new Set(accounts.view().accounts.flatMap(({ id, staysSignedIn }) => (staysSignedIn ? [id] : [])))
  let stayed = staying()

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

  /** One that was not read as a whole yet stays as the last run left it. */
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
    cancel ??= clock.after(writeAfter, writeChanged)
  }

  function noteChange({ account, upserts, removes, status }: FleetChange): void {
    if (!stayed.has(account)) return
    const isFirst = status.asOf !== null && !compared.has(account)
    if (isFirst) compared.add(account)
    if (isFirst || upserts.length + removes.length > 0) noteChanged(account)
  }

  /**
   * Who signs out, or is asked at the next start, leaves nothing behind. Of who stays from now on, the list may have been
   * read before that was known.
   */
  function followAccounts(): void {
    const before = stayed
    stayed = staying()
    for (const account of before) {
      if (stayed.has(account)) continue
      changed.delete(account)
      drop(account)
    }
    for (const account of stayed) if (!before.has(account)) noteChanged(account)
  }

  /** What was signed out while the file could not be opened. */
  function dropOthers(): void {
    attempt((file) => {
      for (const [account] of file.prepare('SELECT account FROM last_list').arrays())
        if (typeof account === 'string' && !stayed.has(account)) drop(account)
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
    if (!stayed.has(account)) return null
    let found: LastList | null = null
    attempt((file) => {
      const row = file.prepare('SELECT as_of, json FROM last_list WHERE account = ?').get(account)
      if (typeof row?.json !== 'string') return
      // An older version's views may lack fields of today.
      const machines: unknown = JSON.parse(row.json)
      found = LastList.safeParse({ asOf: row.as_of, machines }).data ?? null
    })
    return found
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
      // With the time of the last reading, also where that found nothing new.
      stayed.forEach(write)
    },
  })
}
