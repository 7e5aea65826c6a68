import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { MachineKind, RegionRef } from './catalog'
import { BareMetalOrder, MachineDraft, MachineOrder } from './creation'
import { call, variant } from './define'

/** Longest time in which a creation may wait for its flavor, in seconds. */
export const maxArmedSeconds = 366 * 86_400

/**
 * Why a flavor in stock was not ordered. `above-cap`: `price` is above the cap. `no-price`, `other-currency`: it can't be
 * compared. `not-sent`: nothing was sent because of `failure`; it is tried again.
 */
const ArmedObstacle = z.object({
  why: z.enum(['above-cap', 'no-price', 'other-currency', 'not-sent']),
  price: Money.nullable(),
  failure: Failure.nullable(),
})
export type ArmedObstacle = z.infer<typeof ArmedObstacle>

/** Why a creation no longer waits. `unknown`: it was sent, and its outcome is not known. `failed`: nothing was created. */
const ArmedEnd = z.enum(['expired', 'failed', 'unknown'])
export type ArmedEnd = z.infer<typeof ArmedEnd>

/** `sending` is stored before the request is sent. `ended`: nothing happens until the user acts. `at`: epoch seconds. */
export const ArmedState = z.discriminatedUnion('kind', [
  variant('waiting', { obstacle: ArmedObstacle.nullable() }),
  variant('sending', {}),
  variant('ended', { why: ArmedEnd, at: z.number(), failure: Failure.nullable() }),
])
export type ArmedState = z.infer<typeof ArmedState>

const ArmedOrder = z.discriminatedUnion('kind', [
  variant('machine', { machine: MachineOrder }),
  variant('bare-metal', { machine: BareMetalOrder }),
])

/** Highest price per hour of the whole machine, and the end of the wait in epoch seconds. */
const ArmedTerms = z.object({ cap: Money, expiresAt: z.number().int() })
export type ArmedTerms = z.infer<typeof ArmedTerms>

/** A creation that is sent once when its flavor is back in stock. `id`: the request of its draft. */
export const ArmedCreation = ArmedTerms.extend({
  id: MachineDraft.shape.request,
  account: AccountId,
  order: ArmedOrder,
  identityFile: z.string().nullable(),
  /** Input of the form, for another try. */
  draft: MachineDraft,
  flavorName: z.string(),
  region: RegionRef,
  /** Epoch seconds. */
  armedAt: z.number(),
  state: ArmedState,
})
export type ArmedCreation = z.infer<typeof ArmedCreation>

/** An armed creation without its order, which may hold secrets. */
export const ArmedCreationView = ArmedCreation.omit({ order: true, identityFile: true, draft: true }).extend({
  kind: MachineKind,
  name: z.string(),
})
export type ArmedCreationView = z.infer<typeof ArmedCreationView>

const OneArmed = OneAccount.extend({ armed: z.string() })

export const armedCreationCalls = {
  'armedCreations.list': call(OneAccount, z.array(ArmedCreationView)),
  /**
   * Arms the creation of a draft, and removes the draft from the form. Fails with invalid-input (cap, expiresAt:
   * out-of-range; flavor: unknown; name: outcome-open), with disk-full, local-fault, and as the client does.
   */
  'armedCreations.arm': call(
    ArmedCreation.pick({
      account: true,
      order: true,
      identityFile: true,
      draft: true,
      region: true,
      cap: true,
      expiresAt: true,
    }),
    ArmedCreationView,
  ),
  /**
   * Changes the terms, and arms a creation again that expired or failed. Fails with invalid-input (cap, expiresAt:
   * out-of-range; armed: unknown, not-ready once it was sent) and local-fault.
   */
  'armedCreations.change': call(OneArmed.extend(ArmedTerms.shape), z.void()),
  /** Disarms. `keepsDraft`: the form gets its input back. Fails with invalid-input (armed) and local-fault. */
  'armedCreations.cancel': call(OneArmed.extend({ keepsDraft: z.boolean() }), z.void()),
} as const

export const armedCreationEvents = {
  'armedCreations.changed': z.object({ account: AccountId, armed: z.array(ArmedCreationView) }),
} as const
