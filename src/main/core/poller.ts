import type { AccountId, AccountsView, AccountView } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
import type { Clock } from './clock'
import type { Subscribe } from '#shared/emitter'
import { type PollInterval, pause } from './poll-interval'

/** What is read of one account again and again. */
export interface Polled {
  /** Reads the service. Never fails: see `failure`. */
  refresh(): Promise<void>
  /** Why the last reading failed. */
  failure(): Failure | null
  /** Something is on its way from one state to another. */
  moving(): boolean
  /** Forgets everything, because the person signed out. */
  clear(): void
}

/** The accounts of this computer, one of them selected in the window. */
interface PolledAccounts {
  view(): AccountsView
  readonly onChange: Subscribe<AccountsView>
}

export interface PollerDeps<One extends Polled> {
  readonly accounts: PolledAccounts
  readonly clock: Clock
  online(): boolean
  readonly pollInterval: PollInterval
  /** Once per account, when it is first seen. */
  open(account: AccountId): One
}

/** Seconds between two looks at whether the computer has a network again. */
const offlineCheck = 5

interface Watched<One> {
  readonly account: AccountId
  readonly polled: One
  state: AccountView['state']
  /** The person signed out and nothing was read since: nothing is to be known of the account. */
  left: boolean
  failures: number
  lastReading: number
  /** Readings under way: each schedules the next one when it ends. */
  reading: number
  /** Epoch seconds at which the last reading ended. */
  readAt: number
  /** The computer had no network at the last reading: the service is left alone until it has. */
  offline: boolean
  /** Epoch seconds until when the service asked for a pause; null: it did not. */
  heldUntil: number | null
  /** Epoch seconds at which the pause ends, or has ended, that kept the last reading from its end; else null. */
  interruptedUntil: number | null
  cancel: () => void
}

/** Epoch seconds; null where the service named none. One that has just passed is known by no one else. */
function endOfPause(failure: Failure, now: number): number | null {
  if (failure.kind !== 'rate-limited') return null
  const { until, retryAfter } = failure
  return until ?? (retryAfter === undefined ? null : now + retryAfter)
}

/** Reads something of every account that is signed in, at its poll interval. */
export function createPoller<One extends Polled>(deps: PollerDeps<One>) {
  const { accounts, clock, online, pollInterval, open } = deps
  const watched = new Map<AccountId, Watched<One>>()
  let windowOpen = false
  let awake = true

  /** What is left of a wait that began when the last reading ended: what changes elsewhere begins it no more than once. */
  const leftOf = (entry: Watched<One>, seconds: number): number =>
    Math.max(0, seconds - Math.max(0, clock.now() - entry.readAt))

  function schedule(entry: Watched<One>): void {
    entry.cancel()
    entry.cancel = () => undefined
    if (entry.state !== 'signed-in' || !awake || entry.reading > 0) return
    if (entry.heldUntil !== null && entry.heldUntil > clock.now()) {
      entry.cancel = clock.after(entry.heldUntil - clock.now(), () => void read(entry))
      return
    }
    if (entry.offline) {
      entry.cancel = clock.after(offlineCheck, () => (online() ? void read(entry) : schedule(entry)))
      return
    }
    if (entry.interruptedUntil !== null) {
      // Another pause may follow at once: each failure doubles it.
      const backoffSeconds = Math.min(2 ** (entry.failures - 1), pollInterval.focused)
      const wait = Math.max(entry.interruptedUntil - clock.now(), leftOf(entry, backoffSeconds))
      entry.cancel = clock.after(wait, () => void read(entry))
      return
    }
    const seconds = pause(
      {
        moving: entry.polled.moving(),
        selected: accounts.view().selected === entry.account,
        windowOpen,
        failures: entry.failures,
        lastReading: entry.lastReading,
      },
      pollInterval,
    )
    entry.cancel = clock.after(leftOf(entry, seconds), () => void read(entry))
  }

  async function read(entry: Watched<One>): Promise<void> {
    entry.cancel()
    const started = clock.now()
    entry.reading += 1
    await entry.polled.refresh().finally(() => (entry.reading -= 1))
    entry.readAt = clock.now()
    // A reading that was under way when the person signed out has brought everything back.
    if (entry.left) entry.polled.clear()
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
      left: true,
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
    // An account whose sign-in ran out keeps its last good data; one that was signed out keeps nothing.
    if (state === 'signed-in') entry.left = false
    else if (state === 'signed-out' && failure === null && !entry.left) {
      entry.left = true
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
    /** Reads now instead of at the next poll. Fails with invalid-input (account). */
    read: (account: AccountId): Promise<void> => read(entryOf(account)),
    windowChanged(isOpen: boolean): void {
      windowOpen = isOpen
      watched.forEach(schedule)
    },
    /** Silent while the computer sleeps; reads at once when it is back. */
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      if (!awake) return watched.forEach(schedule)
      for (const entry of watched.values()) if (entry.state === 'signed-in') void read(entry)
    },
    close(): void {
      unsubscribe()
      watched.forEach((entry) => entry.cancel())
      watched.clear()
    },
  }
}
