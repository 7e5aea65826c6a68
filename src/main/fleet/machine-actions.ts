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

/** What changes a machine, and cannot be taken back. Each is sent once; without an answer its outcome stays unknown. */
export function createMachineActions({ accounts, capabilities, fleet }: MachineActionsDeps) {
  /** The list as it is after what was done: a reading that is under way may have begun before it. */
  async function readAgain(account: AccountId): Promise<void> {
    try {
      await fleet.refresh(account)
      await fleet.refresh(account)
    } catch {
      // The account was forgotten since; a failed reading shows in the list itself.
      return
    }
  }

  /** Runs `act`, and answers `unknown` where it may have been done although it failed. */
  async function once(account: AccountId, action: Action, act: () => Promise<void>): Promise<ActionOutcome> {
    try {
      return await sentOnce(action, act)
    } finally {
      void readAgain(account)
    }
  }

  /** What a machine is on its way to once the service has taken the request. */
  const becoming = { start: 'starting', stop: 'stopping', reboot: 'rebooting' } as const

  const power = (account: AccountId, machine: string, action: PowerAction): Promise<ActionOutcome> => {
    const service = accounts.service(account)
    return once(account, `machine.${action}`, async () => {
      await capabilities.using(
        account,
        'power',
        () => service.power.change(machine, action),
        () => service.machines.get(machine),
      )
      fleet.showStatus(account, machine, becoming[action])
    })
  }

  async function remove(account: AccountId, machine: string, name: string): Promise<ActionOutcome> {
    const service = accounts.service(account)
    const known = fleet.view(account, machine) ?? (await service.machines.get(machine))
    if (known.name !== name)
      throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'not-the-name' })
    const takeBack = fleet.expectGone(account, machine)
    const outcome = await once(account, 'machine.delete', () =>
      capabilities.using(
        account,
        'delete-machine',
        () => service.power.remove(machine),
        () => service.machines.get(machine),
      ),
    ).catch((error: unknown) => {
      takeBack()
      throw error
    })
    const gone =
      outcome.kind === 'done' ||
      (await service.machines.get(machine).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ))
    if (gone) fleet.wasDeleted(account, machine)
    else takeBack()
    return gone ? { kind: 'done' } : outcome
  }

  const handlers: HandlersOf<typeof machineActionCalls> = {
    'machine.power': ({ account, machine, action }) => power(account, machine, action),
    'machine.delete': ({ account, machine, name }) => remove(account, machine, name),
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing', power })
}
