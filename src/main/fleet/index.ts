import type { AccountId } from '#shared/bridge/account'
import type { FleetChange, FleetSnapshot, fleetCalls, MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { MachineSecretRef } from '#shared/bridge/secret'
import { FailureError } from '#shared/failure'
import type { Filter } from '#shared/service/page'
import type { Accounts } from '../accounts/index'
import { type AccountFleet, accountFleet, pageSize } from './account-fleet'
import { extraFieldText, machineView } from './machine-view'
import { machinesPollInterval } from '../core/poll-interval'
import { createPoller } from '../core/poller'
import { readAll } from '../core/read-all-pages'

/** Machines that the service says are no more. `expected`: they were deleted here. */
export interface Departure {
  readonly account: AccountId
  readonly machines: readonly MachineView[]
  readonly expected: boolean
}

export interface FleetDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  online(): boolean
}

/** The machines of all accounts: reads those that are signed in, at the pace that the circumstances ask for. */
export function createFleet({ accounts, now, after, online }: FleetDeps) {
  const listeners = new Set<(change: FleetChange) => void>()
  const publish = (change: FleetChange): void => listeners.forEach((listener) => listener(change))
  const departures = new Set<(departure: Departure) => void>()
  const leaving = new Set<string>()
  const keyOf = (account: AccountId, machine: string): string => `${account}/${machine}`

  function depart(account: AccountId, machines: readonly MachineView[]): void {
    for (const expected of [true, false]) {
      const some = machines.filter(({ id }) => leaving.has(keyOf(account, id)) === expected)
      if (some.length === 0) continue
      departures.forEach((listener) => listener({ account, machines: some, expected }))
    }
    machines.forEach(({ id }) => leaving.delete(keyOf(account, id)))
  }

  const poller = createPoller<AccountFleet>({
    accounts,
    now,
    after,
    online,
    pollInterval: machinesPollInterval,
    open: (account) =>
      accountFleet(
        account,
        {
          list: (page) => accounts.service(account).machines.list(page),
          get: (machine) => accounts.service(account).machines.get(machine),
        },
        now,
        publish,
        (machines) => depart(account, machines),
      ),
  })

  const handlers: HandlersOf<typeof fleetCalls> = {
    'fleet.snapshot': ({ account }) => poller.get(account).snapshot(),
    'fleet.refresh': ({ account }) => poller.read(account),
    'machines.find': async ({ account, text }) => {
      const filters: Filter[] = [{ key: 'name', op: 'contains', val: text }]
      const { machines } = accounts.service(account)
      const found = await readAll((page) => machines.list({ ...page, filters }), pageSize)
      return found.items.map(machineView)
    },
  }

  return {
    handlers,
    onChange(listener: (change: FleetChange) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onGone(listener: (departure: Departure) => void): () => void {
      departures.add(listener)
      return () => departures.delete(listener)
    },
    /** The person deletes this machine: that it is gone is then no news. The answer takes that back. */
    expectGone(account: AccountId, machine: string): () => void {
      leaving.add(keyOf(account, machine))
      return () => leaving.delete(keyOf(account, machine))
    },
    /** Empty for an account that is not known. */
    snapshot: (account: AccountId): FleetSnapshot | undefined => poller.find(account)?.snapshot(),
    view: (account: AccountId, machine: string): MachineView | undefined =>
      poller.find(account)?.view(machine),
    /** The plain value of one secret. Fails with invalid-input (account, machine, secret). */
    secret(account: AccountId, ref: MachineSecretRef): string {
      const machine = poller.get(account).machine(ref.machine)
      const value =
        ref.kind === 'machine-password' ? machine.login?.password : extraFieldText(machine, ref.path)
      if (!value) throw new FailureError({ kind: 'invalid-input', field: 'secret', reason: 'unknown' })
      return value
    },
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  }
}
export type Fleet = ReturnType<typeof createFleet>
