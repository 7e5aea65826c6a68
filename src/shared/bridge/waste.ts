import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { AccountId } from './account'
import { call } from './define'

const reason = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })

/** Why something is paid for and serves nobody. */
export const WasteReason = z.discriminatedUnion('kind', [
  /** A running machine that does nothing; `since` is epoch seconds, `strength` as in IdleMachine. */
  reason('idle', { since: z.number(), strength: z.enum(['gpu', 'cpu']) }),
  /** A machine that is stopped or has failed; `status` as the service says it. */
  reason('stopped', { status: z.string().nullable() }),
  /** A volume that is attached to nothing. */
  reason('detached', {}),
  /** A volume that is attached to a machine that is stopped or has failed. */
  reason('of-stopped', { machine: z.string(), name: z.string() }),
  /** Bare metal, which nothing shows to be at work. */
  reason('bare-metal', {}),
  /** In no list of the service; `type` as its usage says it. */
  reason('unlisted', { type: z.string().nullable() }),
])
export type WasteReason = z.infer<typeof WasteReason>

/**
 * What ends the bill. `delete-machine-first`: a volume that its machine boots from; `detach-first`: one that it may boot
 * from; `elsewhere`: no call of this service does.
 */
export const WasteEnd = z.enum([
  'delete-machine',
  'delete-volume',
  'detach-and-delete',
  'delete-machine-first',
  'detach-first',
  'elsewhere',
])
export type WasteEnd = z.infer<typeof WasteEnd>

/** One resource that is paid for and serves nobody. Null amounts are unknown. */
export const WasteItem = z.object({
  id: z.string(),
  name: z.string().nullable(),
  reason: WasteReason,
  end: WasteEnd,
  perHour: Money.nullable(),
  /** For 30 days more. */
  perMonth: Money.nullable(),
  /** Of an idle machine since it is idle, of everything else since it exists. */
  soFar: Money.nullable(),
})
export type WasteItem = z.infer<typeof WasteItem>

/** The sums of one currency, over what is known in it; null where nothing is. */
export const WasteTotal = z.object({ perHour: Money, perMonth: Money, soFar: Money.nullable() })
export type WasteTotal = z.infer<typeof WasteTotal>

export const WasteView = z.object({
  account: AccountId,
  /** By money per hour, the most first; each resource once in each currency. */
  items: z.array(WasteItem),
  /** One for each currency, never added up. */
  totals: z.array(WasteTotal),
  /** Whether what is billed and every list that names it were read: before, having no items says nothing. */
  read: z.boolean(),
  /** Why one of them could not be read last. */
  failure: Failure.nullable(),
})
export type WasteView = z.infer<typeof WasteView>

export const wasteCalls = {
  /** As last known: empty, and not `read`, until the lists and the usage were read. */
  'waste.list': call(z.object({ account: AccountId }), WasteView),
} as const

export const wasteEvents = {
  'waste.changed': WasteView,
} as const
