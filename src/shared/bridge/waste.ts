import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call, variant } from './define'

/** Why a resource is paid for without use. */
export const WasteReason = z.discriminatedUnion('kind', [
  /** A running machine whose GPUs do nothing. `since`: epoch seconds. `held`: MiB that programs hold; null: none. */
  variant('idle', { since: z.number(), held: z.number().nullable() }),
  /** A running machine whose GPUs are busy, but hardly any part of them is in use. */
  variant('barely-used', { since: z.number() }),
  /** A running machine whose CPU does nothing and whose GPUs were not read. */
  variant('cpu-idle', { since: z.number() }),
  /** A running machine whose GPUs were not measured lately. */
  variant('unmeasured', {}),
  /** A stopped or failed machine; `status`: verbatim from the service. */
  variant('stopped', { status: z.string().nullable() }),
  variant('detached', {}),
  variant('of-stopped', { machine: z.string(), name: z.string() }),
  variant('bare-metal', {}),
  /** In no list of the service; `type` as in its usage. */
  variant('unlisted', { type: z.string().nullable() }),
])
export type WasteReason = z.infer<typeof WasteReason>

/**
 * How to end the cost. `delete-machine-first`: its machine boots from the volume. `detach-first`: its machine may
 * boot from the volume. `elsewhere`: this service has no call for it.
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

export const WasteItem = z.object({
  id: z.string(),
  name: z.string().nullable(),
  reason: WasteReason,
  end: WasteEnd,
  /** A bare metal instance, which has a separate page. */
  isBareMetal: z.literal(true).optional(),
  perHour: Money.nullable(),
  /** Cost of the next 30 days. */
  perMonth: Money.nullable(),
  /** For an idle machine since it is idle; otherwise since its creation. */
  soFar: Money.nullable(),
})
export type WasteItem = z.infer<typeof WasteItem>

/** Sums of the known amounts in one currency; null if none is known. */
export const WasteTotal = z.object({ perHour: Money, perMonth: Money, soFar: Money.nullable() })
export type WasteTotal = z.infer<typeof WasteTotal>

export const WasteView = z.object({
  account: AccountId,
  /** By cost per hour, highest first; each resource once per currency. */
  items: z.array(WasteItem),
  /** Resources that may be unused, but were not measured. They are no waste and in no total. */
  unchecked: z.array(WasteItem),
  /** With the waste of ended resources. */
  totals: z.array(WasteTotal),
  /** Waste of resources that ended in the last 30 days, by currency. */
  ended: z.array(Money),
  /** Whether usage and all lists were read. Before, an empty list proves nothing. */
  read: z.boolean(),
  failure: Failure.nullable(),
})
export type WasteView = z.infer<typeof WasteView>

export const wasteCalls = {
  /** Empty and not `read` until the lists and the usage were read. */
  'waste.list': call(OneAccount, WasteView),
} as const

export const wasteEvents = {
  'waste.changed': WasteView,
} as const
