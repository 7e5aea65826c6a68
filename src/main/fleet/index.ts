import type { AccountId } from '#shared/bridge/account'
import { searchText } from '#shared/locale'
import type { FleetChange, fleetCalls, fleetEvents, FleetSnapshot, MachineView } from '#shared/bridge/fleet'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import type { machineActionEvents } from '#shared/bridge/machine-action'
import type { MachineSecretRef } from '#shared/bridge/secret'
import { FailureError } from '#shared/failure'
import type { Filter } from '#shared/service/page'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { machinesPollInterval } from '../core/poll-interval'
import { createPoller } from '../core/poller'
import { readAll } from '../core/read-all-pages'
import { mayRefuseFilter } from '../service/refused-field'
import { resourceKey } from '#shared/resource-key'
import { pageSizes } from '#shared/page-sizes'
import { type AccountFleet, accountFleet } from './account-fleet'
import { extraFieldText, machineView } from './machine-view'

/** Machines that no longer exist. `expected`: whether they were deleted here. */
export interface GoneMachines {
  readonly account: AccountId
  readonly machines: readonly MachineView[]
  readonly expected: boolean
}

export interface FleetDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly clock: Clock
  online(): boolean
}

export function createFleet({ accounts, clock, online }: FleetDeps) {
  const changes = createEmitter<FleetChange>()
  const gone = createEmitter<GoneMachines>()
  const lost = createEmitter<EventPayload<'machines.gone'>>()
  const deleting = new Set<string>()
  /** Resource keys of machines whose deletion the service confirmed. */
  const deleted = new Set<string>()

  function emitGone(account: AccountId, machines: readonly MachineView[]): void {
    const isExpected = ({ id }: MachineView): boolean => deleting.has(resourceKey(account, id))
    const expected = machines.filter(isExpected)
    const unexpected = machines.filter((machine) => !isExpected(machine))
    for (const { id } of machines) {
      deleting.delete(resourceKey(account, id))
      deleted.delete(resourceKey(account, id))
    }
    if (expected.length > 0) gone.emit({ account, machines: expected, expected: true })
    if (unexpected.length === 0) return
    gone.emit({ account, machines: unexpected, expected: false })
    lost.emit({ account, machines: unexpected.map(({ id, name }) => ({ id, name })) })
  }

  const poller = createPoller<AccountFleet>({
    accounts,
    clock,
    online,
    pollInterval: machinesPollInterval,
    open: (account) =>
      accountFleet(
        account,
        {
          list: (page, last) => accounts.service(account).machines.list(page, undefined, last),
          get: (machine) => accounts.service(account).machines.get(machine),
          wasDeleted: (machine) => deleted.has(resourceKey(account, machine)),
        },
        clock.now,
        changes.emit,
        (machines) => emitGone(account, machines),
      ),
  })

  /** Lists machines with the service's filters, or all machines as last read if it refuses filters. */
  async function filtered(account: AccountId, filters: Filter[]): Promise<readonly MachineView[]> {
    const { machines } = accounts.service(account)
    try {
      const listed = await readAll((page) => machines.list({ ...page, filters }), pageSizes.resources)
      return listed.items.map(machineView)
    } catch (error) {
      if (!mayRefuseFilter(failureOf(error, 'machines.find'))) throw error
      const fleet = poller.get(account)
      if (fleet.snapshot().status.asOf === null) await fleet.refresh()
      if (fleet.failure()) throw error
      return fleet.snapshot().machines
    }
  }

  async function find(account: AccountId, text: string): Promise<MachineView[]> {
    const machines = await filtered(account, [{ key: 'name', op: 'contains', val: text }])
    // A service may ignore the filter.
    return machines.filter(({ name }) => searchText(name).includes(searchText(text)))
  }

  const handlers: HandlersOf<Omit<typeof fleetCalls, 'fleet.lastList'>> = {
    'fleet.snapshot': ({ account }) => poller.get(account).snapshot(),
    'fleet.refresh': ({ account }) => poller.read(account),
    'machines.find': ({ account, text }) => find(account, text),
  }
  const events: EventsOf<typeof fleetEvents & typeof machineActionEvents> = {
    'fleet.changed': changes.on,
    'machines.gone': lost.on,
  }

  return defineModule({
    handlers,
    events,
    forgetAccount: 'follows-accounts',
    onChange: changes.on,
    onGone: gone.on,
    /** Reads now. Fails only with invalid-input (account): other failures are in the status. */
    refresh: poller.read,
    /** Suppresses the notice when this machine disappears, because the user deletes it. The result cancels that. */
    expectGone(account: AccountId, machine: string): () => void {
      deleting.add(resourceKey(account, machine))
      return () => deleting.delete(resourceKey(account, machine))
    },
    /** Records that the service confirmed a deletion: the next list without the machine ends it. */
    wasDeleted: (account: AccountId, machine: string): void =>
      void deleted.add(resourceKey(account, machine)),
    /** Shows an expected status before the next reading confirms it. */
    showStatus: (account: AccountId, machine: string, status: string): void =>
      poller.find(account)?.showStatus(machine, status),
    /** Returns undefined for an unknown account. */
    snapshot: (account: AccountId): FleetSnapshot | undefined => poller.find(account)?.snapshot(),
    view: (account: AccountId, machine: string): MachineView | undefined =>
      poller.find(account)?.view(machine),
    /** Returns the plain text of one secret. Fails with invalid-input (account, machine, secret). */
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
  })
}
export type Fleet = ReturnType<typeof createFleet>
