import type { AccountId } from '#shared/bridge/account'
import { LastView } from '#shared/bridge/first-answers'
import type { FleetChange, fleetCalls, LastList } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { ListViews } from '#shared/bridge/list-view'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { defineModule } from '../core/module'
import { createMutex } from '../core/mutex'
import type { ReportError } from '../core/report-error'
import type { Store } from '../store/database'
import { lastViewFiles } from '../store/last-view-files'
import type { Fleet } from './index'

export interface LastListsDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly fleet: Pick<Fleet, 'onChange' | 'snapshot'>
  readonly store: Pick<Store, 'fileKey' | 'state' | 'onChange'>
  readonly listViews: (account: AccountId) => ListViews
  /** User-data folder. */
  readonly folder: string
  readonly clock: Pick<Clock, 'after'>
  readonly report: ReportError
}

/** Delay from a change to writing: a starting machine changes its list several times. */
const writeDelaySeconds = 60

/**
 * Stores the machine lists of accounts that sign in automatically, encrypted, so that the next start can show them before
 * the service answers, and before main's modules exist (last-view.ts). Only the window uses them: old data must
 * cause no alert, cost or notice.
 */
export function createLastLists(deps: LastListsDeps) {
  const { accounts, fleet, store, clock, report } = deps
  const files = lastViewFiles(deps.folder)
  /** Accounts whose list was read since it was last written. */
  const unwritten = new Set<AccountId>()
  /** Accounts whose first reading was marked as changed, since stored lists are not compared. */
  const firstReadNoted = new Set<AccountId>()
  const runExclusive = createMutex()
  let cancel: (() => void) | undefined

  const readStaying = (): ReadonlySet<AccountId> =>
    new Set(accounts.view().accounts.flatMap(({ id, staysSignedIn }) => (staysSignedIn ? [id] : [])))
  let staying = readStaying()

  const attempt = (work: () => Promise<void>): Promise<void> =>
    runExclusive(work).catch((error: unknown) => report('fleet.keepList', error))

  /** Stores a list. A list that was not read completely yet stays as the last run stored it. */
  async function write(account: AccountId): Promise<void> {
    const { machines, status } = fleet.snapshot(account) ?? {}
    const key = store.fileKey()
    if (!key || !machines || !status || status.asOf === null || !staying.has(account)) return
    const lastList: LastList = { asOf: status.asOf, machines: [...machines] }
    const view: LastView = { accounts: accounts.view(), listViews: deps.listViews(account), lastList }
    await files.write(account, key, JSON.stringify(view))
    unwritten.delete(account)
  }

  async function writeAll(which: readonly AccountId[]): Promise<void> {
    for (const account of which) await attempt(() => write(account))
  }

  function noteChanged(account: AccountId): void {
    unwritten.add(account)
    cancel ??= clock.after(writeDelaySeconds, () => {
      cancel = undefined
      void writeAll([...unwritten])
    })
  }

  function noteChange({ account, upserts, removes, status }: FleetChange): void {
    if (!staying.has(account)) return
    const isFirst = status.asOf !== null && !firstReadNoted.has(account)
    if (isFirst) firstReadNoted.add(account)
    if (isFirst || upserts.length + removes.length > 0) noteChanged(account)
  }

  const dropOthers = (): Promise<void> => attempt(() => files.keepOnly(staying))

  /** Deletes the lists of accounts that no longer stay signed in, and stores the lists of new ones. */
  function followAccounts(): void {
    const previous = staying
    staying = readStaying()
    if ([...previous].some((account) => !staying.has(account))) {
      void dropOthers()
      // The files of other accounts name the account that left.
      staying.forEach(noteChanged)
    }
    for (const account of staying) if (!previous.has(account)) noteChanged(account)
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

  async function read(account: AccountId): Promise<LastList | null> {
    const key = store.fileKey()
    if (!key || !staying.has(account)) return null
    try {
      const json = await files.read(account, key)
      // Views of an older version may lack fields.
      return json === undefined ? null : (LastView.safeParse(JSON.parse(json)).data?.lastList ?? null)
    } catch (error) {
      report('fleet.keepList', error)
      return null
    }
  }

  const handlers: HandlersOf<Pick<typeof fleetCalls, 'fleet.lastList'>> = {
    'fleet.lastList': async ({ account }) => {
      await whenOpened()
      return read(account)
    },
  }
  const ends = [fleet.onChange(noteChange), accounts.onChange(followAccounts)]

  return defineModule({
    handlers,
    events: {},
    forgetAccount: 'follows-accounts',
    /** Deletes lists that an interrupted run left. */
    start: dropOthers,
    async close(): Promise<void> {
      ends.forEach((end) => end())
      cancel?.()
      // Also stores the time of the last reading, if that changed nothing.
      await writeAll([...staying])
      await dropOthers()
    },
  })
}
