import type { AccountId, AccountsView, AccountView } from '#shared/bridge/account'
import type { FleetChange, FleetSnapshot, fleetCalls, MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { SecretRef } from '#shared/bridge/secret'
import { FailureError } from '#shared/failure'
import type { Accounts } from '../accounts/index'
import { type AccountFleet, accountFleet } from './account-fleet'
import { extraFieldText, machineView } from './machine-view'
import { pause } from './pace'

export interface FleetParts {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  online(): boolean
}

/** Seconds between two looks at whether the computer has a network again. */
const offlineCheck = 5

interface Watched {
  readonly fleet: AccountFleet
  state: AccountView['state']
  failures: number
  lastReading: number
  /** The computer had no network at the last reading: the service is left alone until it has. */
  offline: boolean
  callOff: () => void
}

/** The machines of all accounts: reads those that are signed in, at the pace that the circumstances ask for. */
export function createFleet({ accounts, now, after, online }: FleetParts) {
  const watched = new Map<AccountId, Watched>()
  const listeners = new Set<(change: FleetChange) => void>()
  let windowOpen = false
  let awake = true

  const publish = (change: FleetChange): void => listeners.forEach((listener) => listener(change))

  function schedule(entry: Watched): void {
    entry.callOff()
    entry.callOff = () => undefined
    if (entry.state !== 'signed-in' || !awake) return
    if (entry.offline) {
      entry.callOff = after(offlineCheck, () => (online() ? void read(entry) : schedule(entry)))
      return
    }
    const seconds = pause({
      moving: entry.fleet.moving(),
      selected: accounts.view().selected === entry.fleet.account,
      windowOpen,
      failures: entry.failures,
      lastReading: entry.lastReading,
    })
    entry.callOff = after(seconds, () => void read(entry))
  }

  async function read(entry: Watched): Promise<void> {
    entry.callOff()
    const started = now()
    await entry.fleet.refresh()
    entry.lastReading = now() - started
    entry.offline = entry.fleet.snapshot().status.failure?.kind === 'offline'
    entry.failures = entry.fleet.failed() ? entry.failures + 1 : 0
    if (watched.get(entry.fleet.account) === entry) schedule(entry)
  }

  function watch(account: AccountView): void {
    const id = account.id
    const known = watched.get(id)
    const entry: Watched = known ?? {
      fleet: accountFleet(
        id,
        {
          list: (page) => accounts.service(id).machines.list(page),
          get: (machine) => accounts.service(id).machines.get(machine),
        },
        now,
        publish,
      ),
      state: 'signed-out',
      failures: 0,
      lastReading: 0,
      offline: false,
      callOff: () => undefined,
    }
    watched.set(id, entry)
    const before = entry.state
    entry.state = account.state
    if (before !== 'signed-in' && account.state === 'signed-in') void read(entry)
    else schedule(entry)
    // An account whose sign-in ran out keeps its last good data; one that was signed out keeps nothing.
    if (before !== 'signed-out' && account.state === 'signed-out' && account.failure === null)
      entry.fleet.clear()
  }

  function follow(view: AccountsView): void {
    view.accounts.forEach(watch)
    for (const [id, entry] of watched) {
      if (view.accounts.some((account) => account.id === id)) continue
      entry.callOff()
      watched.delete(id)
    }
  }

  const entryOf = (account: AccountId): Watched => {
    const entry = watched.get(account)
    if (!entry) throw new FailureError({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
    return entry
  }

  const rescheduleAll = (): void => watched.forEach(schedule)

  follow(accounts.view())
  accounts.onChange(follow)

  const handlers: HandlersOf<typeof fleetCalls> = {
    'fleet.snapshot': ({ account }) => entryOf(account).fleet.snapshot(),
    'fleet.refresh': ({ account }) => read(entryOf(account)),
    'machines.find': async ({ account, text }) => {
      const page = await accounts
        .service(account)
        .machines.list({ limit: 200, filters: [{ key: 'name', op: 'contains', val: text }] })
      return page.items.map(machineView)
    },
  }

  return {
    handlers,
    onChange(listener: (change: FleetChange) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Empty for an account that is not known. */
    snapshot: (account: AccountId): FleetSnapshot | undefined => watched.get(account)?.fleet.snapshot(),
    view: (account: AccountId, machine: string): MachineView | undefined =>
      watched.get(account)?.fleet.view(machine),
    /** The plain value of one secret. Fails with invalid-input (account, machine, secret). */
    secret(account: AccountId, ref: SecretRef): string {
      const machine = entryOf(account).fleet.machine(ref.machine)
      const value =
        ref.kind === 'machine-password' ? machine.login?.password : extraFieldText(machine, ref.path)
      if (!value) throw new FailureError({ kind: 'invalid-input', field: 'secret', reason: 'unknown' })
      return value
    },
    windowChanged(open: boolean): void {
      windowOpen = open
      rescheduleAll()
    },
    /** Silent while the computer sleeps; reads at once when it is back. */
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      if (!awake) return rescheduleAll()
      for (const entry of watched.values()) if (entry.state === 'signed-in') void read(entry)
    },
    close(): void {
      watched.forEach((entry) => entry.callOff())
      watched.clear()
    },
  }
}
export type Fleet = ReturnType<typeof createFleet>
