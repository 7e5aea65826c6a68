import type { AccountId, AccountsView, AccountView } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
import type { Clock } from './clock'
import type { Subscribe } from '#shared/emitter'
import { type PollInterval, pause } from './poll-interval'

export interface Polled {
  /** Reads the service. Never fails: see `failure`. */
  refresh(): Promise<void>
  failure(): Failure | null
  moving(): boolean
  /** Receives the time from which the next answer is overdue, in epoch seconds; undefined: none is expected. */
  expect?(overdueAt: number | undefined): void
  /** Drops all data because the user signed out. */
  clear(): void
}

interface PolledAccounts {
  view(): AccountsView
  readonly onChange: Subscribe<AccountsView>
}

export interface PollerDeps<One extends Polled> {
  readonly accounts: PolledAccounts
  readonly clock: Clock
  online(): boolean
  readonly pollInterval: PollInterval
  open(account: AccountId): One
}

/** Number of poll intervals after its due time from which an answer is overdue. */
const overdueIntervals = 2
/** Seconds between two checks of whether the computer is online again. */
const offlineCheckSeconds = 5

interface Watched<One> {
  readonly account: AccountId
  readonly polled: One
  state: AccountView['state']
  /** The user signed out and nothing was read since, so no data may remain. */
  cleared: boolean
  failures: number
  lastReading: number
  /** Readings in progress. Each schedules the next one when it ends. */
  reading: number
  /** End of the last reading in epoch seconds. */
  readAt: number
  offline: boolean
  /** End of the pause that the service requested for the account, in epoch seconds; else null. */
  heldUntil: number | null
  /** End of the pause that interrupted the last reading, in epoch seconds; else null. */
  interruptedUntil: number | null
  cancel: () => void
}

function endOfPause(failure: Failure, now: number): number | null {
  if (failure.kind !== 'rate-limited') return null
  const { until, retryAfter } = failure
  return until ?? (retryAfter === undefined ? null : now + retryAfter)
}

/** Returns the poll interval of a list; null if a pause or a missing network decides when it is read. */
function secondsUntilNext<One extends Polled>(
  { polled, heldUntil, offline, interruptedUntil, failures, lastReading }: Watched<One>,
  { now, ...window }: { readonly selected: boolean; readonly windowOpen: boolean; readonly now: number },
  pollInterval: PollInterval,
): number | null {
  const isHeld = heldUntil !== null && heldUntil > now
  if (isHeld || offline || interruptedUntil !== null) return null
  return pause({ moving: polled.moving(), ...window, failures, lastReading }, pollInterval)
}

/** Reads a list of every signed-in account at its poll interval. */
export function createPoller<One extends Polled>(deps: PollerDeps<One>) {
  const { accounts, clock, online, pollInterval, open } = deps
  const watched = new Map<AccountId, Watched<One>>()
  let windowOpen = false
  let awake = true

  /** Remaining seconds of a wait that began when the last reading ended, so that other changes do not restart it. */
  const remainingOf = (entry: Watched<One>, seconds: number): number =>
    Math.max(0, seconds - Math.max(0, clock.now() - entry.readAt))

  function schedule(entry: Watched<One>): void {
    entry.cancel()
    entry.cancel = () => undefined
    if (entry.state === 'signed-in' && awake && entry.reading > 0) return
    const selected = accounts.view().selected === entry.account
    const seconds =
      entry.state === 'signed-in' && awake
        ? secondsUntilNext(entry, { selected, windowOpen, now: clock.now() }, pollInterval)
        : null
    const wait = seconds === null ? null : remainingOf(entry, seconds)
    entry.polled.expect?.(
      seconds === null || wait === null ? undefined : clock.now() + wait + overdueIntervals * seconds,
    )
    if (wait !== null) entry.cancel = clock.after(wait, () => void read(entry))
    else if (entry.state === 'signed-in' && awake) scheduleAfterPause(entry)
  }

  function scheduleAfterPause(entry: Watched<One>): void {
    if (entry.heldUntil !== null && entry.heldUntil > clock.now()) {
      entry.cancel = clock.after(entry.heldUntil - clock.now(), () => void read(entry))
      return
    }
    if (entry.offline) {
      entry.cancel = clock.after(offlineCheckSeconds, () => (online() ? void read(entry) : schedule(entry)))
      return
    }
    if (entry.interruptedUntil !== null) {
      // Another pause may follow at once, so each failure doubles the wait.
      const backoffSeconds = Math.min(2 ** (entry.failures - 1), pollInterval.focused)
      const wait = Math.max(entry.interruptedUntil - clock.now(), remainingOf(entry, backoffSeconds))
      entry.cancel = clock.after(wait, () => void read(entry))
    }
  }

  async function read(entry: Watched<One>): Promise<void> {
    entry.cancel()
    const started = clock.now()
    entry.reading += 1
    await entry.polled.refresh().finally(() => (entry.reading -= 1))
    entry.readAt = clock.now()
    // A reading that was in progress at sign-out has loaded the data again.
    if (entry.cleared) entry.polled.clear()
    const failure = entry.polled.failure()
    entry.lastReading = Math.max(0, clock.now() - started)
    entry.offline = failure?.kind === 'offline'
    entry.interruptedUntil = failure && endOfPause(failure, clock.now())
    entry.failures = failure ? entry.failures + 1 : 0
    if (watched.get(entry.account) === entry) schedule(entry)
  }

  function watch({ id, state, failure, heldUntil }: AccountView): void {
    const entry: Watched<One> = watched.get(id) ?? {
      account: id,
      polled: open(id),
      state: 'signed-out',
      cleared: true,
      failures: 0,
      lastReading: 0,
      reading: 0,
      readAt: -Infinity,
      offline: false,
      heldUntil: null,
      interruptedUntil: null,
      cancel: () => undefined,
    }
    watched.set(id, entry)
    const before = entry.state
    entry.state = state
    const wasHeld = entry.heldUntil !== null
    entry.heldUntil = heldUntil
    // An expired sign-in keeps the last good data; signing out keeps nothing.
    if (state === 'signed-in') entry.cleared = false
    else if (state === 'signed-out' && failure === null && !entry.cleared) {
      entry.cleared = true
      entry.polled.clear()
    }
    const resumes = before !== 'signed-in' || (wasHeld && heldUntil === null)
    if (resumes && state === 'signed-in') void read(entry)
    else schedule(entry)
  }

  function follow(view: AccountsView): void {
    view.accounts.forEach(watch)
    for (const [id, entry] of watched) {
      if (view.accounts.some((account) => account.id === id)) continue
      entry.cancel()
      watched.delete(id)
    }
  }

  const entryOf = (account: AccountId): Watched<One> => {
    const entry = watched.get(account)
    if (!entry) throw new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
    return entry
  }

  follow(accounts.view())
  const unsubscribe = accounts.onChange(follow)

  return {
    find: (account: AccountId): One | undefined => watched.get(account)?.polled,
    /** Fails with invalid-input (account). */
    get: (account: AccountId): One => entryOf(account).polled,
    /** Reads now. Fails with invalid-input (account). */
    read: (account: AccountId): Promise<void> => read(entryOf(account)),
    windowChanged(isOpen: boolean): void {
      windowOpen = isOpen
      watched.forEach(schedule)
    },
    /** Pauses while the computer sleeps; reads at once when it wakes up. */
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      if (!awake) return watched.forEach(schedule)
      for (const entry of watched.values()) {
        if (entry.state !== 'signed-in') continue
        entry.polled.expect?.(clock.now() + overdueIntervals * pollInterval.focused)
        void read(entry)
      }
    },
    close(): void {
      unsubscribe()
      watched.forEach((entry) => entry.cancel())
      watched.clear()
    },
  }
}
