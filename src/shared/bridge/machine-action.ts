import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId, OneMachine } from './account'
import { call, variant } from './define'

export const PowerAction = z.enum(['start', 'stop', 'reboot'])
export type PowerAction = z.infer<typeof PowerAction>

/** `unknown`: it was sent, and no answer shows whether it was done. It is never sent again automatically. */
export const ActionOutcome = z.discriminatedUnion('kind', [
  variant('done', {}),
  variant('unknown', { failure: Failure }),
])
export type ActionOutcome = z.infer<typeof ActionOutcome>

/** Effect of a request whose answer was lost, as later readings show it; `unknown` if none can. */
export const LookUp = z.enum(['done', 'not-done', 'unknown'])
export type LookUp = z.infer<typeof LookUp>

export const machineActionCalls = {
  /** Call after the user confirmed it. Sent once. Fails as the client does, and with not-offered-by-service. */
  'machine.power': call(OneMachine.extend({ action: PowerAction }), ActionOutcome),
  /**
   * Cannot be undone. `name`: the machine's name as typed by the user. Sent once. Fails with invalid-input (name), as
   * the client does, and with not-offered-by-service.
   */
  'machine.delete': call(OneMachine.extend({ name: z.string() }), ActionOutcome),
} as const

export const machineActionEvents = {
  /** Machines that the service answers with 404 and that were not deleted here. */
  'machines.gone': z.object({
    account: AccountId,
    machines: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
} as const
