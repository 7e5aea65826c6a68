import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call } from './define'

/** `since`: epoch seconds. `perHour` and `cost` (of the idle time so far) are null without a price. */
export const IdleMachine = z.object({
  machine: z.string(),
  name: z.string(),
  since: z.number(),
  /** `gpu`: measured over SSH. `cpu`: from the service's CPU metrics only, which is weaker evidence. */
  strength: z.enum(['gpu', 'cpu']),
  cost: Money.nullable(),
  perHour: Money.nullable(),
})
export type IdleMachine = z.infer<typeof IdleMachine>

/** A machine is idle if all its GPUs were under `threshold` percent for `minutes`. */
export const IdleSettings = z.object({
  threshold: z.number().min(1).max(50).default(5),
  minutes: z.number().int().min(1).max(10_080).default(60),
})
export type IdleSettings = z.infer<typeof IdleSettings>

export const idleCalls = {
  'idle.list': call(OneAccount, z.array(IdleMachine)),
  'idle.settings': call(z.object({}), IdleSettings),
  'idle.configure': call(
    z.object({
      threshold: IdleSettings.shape.threshold.unwrap(),
      minutes: IdleSettings.shape.minutes.unwrap(),
    }),
    IdleSettings,
  ),
} as const

export const idleEvents = {
  /** All idle machines of the account, the most expensive first. */
  'idle.changed': z.object({ account: AccountId, machines: z.array(IdleMachine) }),
} as const
