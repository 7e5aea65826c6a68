import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import type { ActionOutcome, machineActionCalls, PowerAction } from '#shared/bridge/machine-action'
import { FailureError } from '#shared/failure'
import type { Action } from '#shared/messages/en/actions'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import { sentOnce } from '../core/at-most-once'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import { defineModule } from '../core/module'
import type { Fleet } from './index'

export interface MachineActionsDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'using'>
  readonly fleet: Pick<Fleet, 'view' | 'refresh' | 'showStatus' | 'expectGone' | 'wasDeleted'>
}

const isNotFound = (error: unknown): boolean => {
  const failure = failureOf(error, 'machine.read')
  return failure.kind === 'refused-by-service' && failure.status === 404
}

/** Creates the calls that change or delete a machine. Each is sent once; without an answer the outcome is unknown. */
export function createMachineActions({ accounts, capabilities, fleet }: MachineActionsDeps) {
  /** Reads the list twice, since a running reading may have begun before the action. */
  async function readAgain(account: AccountId): Promise<void> {
    try {
      await fleet.refresh(account)
      await fleet.refresh(account)
    } catch {
      // The account was forgotten; a failed reading shows in the list.
      return
    }
  }

  /** Runs `act` once. Returns `unknown` if it failed but may have been done. */
  async function once(account: AccountId, action: Action, act: () => Promise<void>): Promise<ActionOutcome> {
    try {
      return await sentOnce(action, act)
    } finally {
      void readAgain(account)
    }
  }

  /** Status of a machine after the service accepted the request. */
  const expectedStatus = { start: 'starting', stop: 'stopping', reboot: 'rebooting' } as const

  const power = (account: AccountId, machine: string, action: PowerAction): Promise<ActionOutcome> => {
    const service = accounts.service(account)
    return once(account, `machine.${action}`, async () => {
      await capabilities.using(
        account,
        'power',
        () => service.power.change(machine, action),
        () => service.machines.get(machine),
      )
      fleet.showStatus(account, machine, expectedStatus[action])
    })
  }

  async function remove(account: AccountId, machine: string, name: string): Promise<ActionOutcome> {
    const service = accounts.service(account)
    const known = fleet.view(account, machine) ?? (await service.machines.get(machine))
    if (known.name !== name)
      throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'not-the-name' })
    const cancelExpectation = fleet.expectGone(account, machine)
    const outcome = await once(account, 'machine.delete', () =>
      capabilities.using(
        account,
        'delete-machine',
        () => service.power.remove(machine),
        () => service.machines.get(machine),
      ),
    ).catch((error: unknown) => {
      cancelExpectation()
      throw error
    })
    const isGone =
      outcome.kind === 'done' ||
      (await service.machines.get(machine).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ))
    if (isGone) fleet.wasDeleted(account, machine)
    else cancelExpectation()
    return isGone ? { kind: 'done' } : outcome
  }

  const handlers: HandlersOf<typeof machineActionCalls> = {
    'machine.power': ({ account, machine, action }) => power(account, machine, action),
    'machine.delete': ({ account, machine, name }) => remove(account, machine, name),
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing', power, remove })
}
export type MachineActions = ReturnType<typeof createMachineActions>
