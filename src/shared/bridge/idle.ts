import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call } from './define'

/**
 * How a machine is unused. `idle`: its GPUs did nothing. `held`: they did nothing, but programs hold their memory.
 * `barely-used`: they are busy, but hardly any part of them is in use. `cpu-idle`: its GPUs were not read; its CPU did
 * nothing, which proves no waste.
 */
export const MachineUse = z.enum(['idle', 'held', 'barely-used', 'cpu-idle'])
export type MachineUse = z.infer<typeof MachineUse>

/**
 * Evidence of a use: readings of the GPUs, only their power, or the load of the CPU because the GPUs are not monitored
 * (`unmonitored`) or report no use, as with MIG or a driver that hangs (`unreported`).
 */
const UseBasis = z.enum(['gpu', 'power', 'unmonitored', 'unreported'])

/** An unused machine. `since`: epoch seconds. `perHour` and `cost` (since then) are null without a price. */
export const IdleMachine = z.object({
  machine: z.string(),
  name: z.string(),
  since: z.number(),
  use: MachineUse,
  /** Memory that programs hold on idle GPUs, and since when both is so; null unless `held`. */
  held: z.object({ since: z.number(), mebibytes: z.number() }).nullable(),
  basis: UseBasis,
  cost: Money.nullable(),
  perHour: Money.nullable(),
})
export type IdleMachine = z.infer<typeof IdleMachine>

/** An unused GPU, also of a machine whose other GPUs work. `index`: of the GPU in its machine. */
export const IdleGpu = IdleMachine.pick({ machine: true, since: true, held: true, basis: true }).extend({
  index: z.number().int(),
  use: MachineUse.exclude(['cpu-idle']),
})
export type IdleGpu = z.infer<typeof IdleGpu>

/**
 * Unused machines, the most expensive first, and unused GPUs. `unmeasured`: ids of running machines with GPUs whose work was
 * not measured lately, so nothing is known about their use.
 */
export const IdleList = z.object({
  machines: z.array(IdleMachine),
  gpus: z.array(IdleGpu),
  unmeasured: z.array(z.string()),
})
export type IdleList = z.infer<typeof IdleList>

/** A machine is idle if all its GPUs were under `threshold` percent for `minutes`. */
export const IdleSettings = z.object({
  threshold: z.number().min(1).max(50).default(5),
  minutes: z.number().int().min(1).max(10_080).default(60),
})
export type IdleSettings = z.infer<typeof IdleSettings>

export const idleCalls = {
  'idle.list': call(OneAccount, IdleList),
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
  'idle.changed': IdleList.extend({ account: AccountId }),
} as const
