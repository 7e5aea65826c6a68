import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'

/** Virtual machines and bare metal have separate catalogs (api-spec.md §4). */
export const MachineKind = z.enum(['machine', 'bare-metal'])
export type MachineKind = z.infer<typeof MachineKind>

/** Region as the service reports it: an id, a name, both or neither. */
export const RegionRef = z.object({ id: z.string().nullable(), name: z.string().nullable() })
export type RegionRef = z.infer<typeof RegionRef>

/** A flavor in one region. `ram`, `disk` and `ephemeral` are GB. Null: not reported. */
export const FlavorView = z.object({
  id: z.string(),
  name: z.string(),
  region: RegionRef,
  /** Catalog price per hour. Only the usage of a running machine is exact. */
  price: Money.nullable(),
  cpu: z.number().nullable(),
  ram: z.number().nullable(),
  disk: z.number().nullable(),
  ephemeral: z.number().nullable(),
  gpu: z.string().nullable(),
  gpuCount: z.number().nullable(),
  bandwidth: z.string().nullable(),
  inStock: z.boolean().nullable(),
  cycle: z.string().nullable(),
})
export type FlavorView = z.infer<typeof FlavorView>

export const ImageView = z.object({
  id: z.string(),
  name: z.string(),
  region: RegionRef,
  type: z.string().nullable(),
  description: z.string().nullable(),
})
export type ImageView = z.infer<typeof ImageView>

/** A region from GET /regions if offered, else from flavors and images. */
export const RegionView = RegionRef.extend({
  description: z.string().nullable(),
  flavors: z.number().int(),
  images: z.number().int(),
})
export type RegionView = z.infer<typeof RegionView>

const listed = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), asOf: z.number(), unreadable: UnreadableRecords.optional() })

/** `fresh`: skips the cache of one minute. */
const OneCatalog = z.object({ account: AccountId, kind: MachineKind, fresh: z.boolean().optional() })
/** `region`: an id that the service filters by. */
const OneList = OneCatalog.extend({ region: z.string().min(1).optional() })

const OneShown = OneList.omit({ fresh: true }).extend({ list: z.enum(['flavors', 'images']) })

/** A flavor whose availability the user waits for. `since` is epoch seconds. */
export const FlavorWatch = z.object({
  kind: MachineKind,
  flavor: z.string().min(1),
  name: z.string(),
  region: RegionRef,
  since: z.number(),
})
export type FlavorWatch = z.infer<typeof FlavorWatch>

export const catalogCalls = {
  /** `currencyAssumed`: no answer reported the currency of the prices. */
  'catalog.flavors': call(OneList, listed(FlavorView).extend({ currencyAssumed: z.boolean() })),
  'catalog.images': call(OneList, listed(ImageView)),
  /**
   * Sorted by name. `unreadable`: of the list of regions only. `failure`: why that list could not be read; the result
   * then only has the regions of flavors and images.
   */
  'catalog.regions': call(OneCatalog, listed(RegionView).extend({ failure: Failure.optional() })),
  'catalog.look': call(OneShown.extend({ looking: z.boolean() }), z.void()),
  'catalog.watches': call(OneAccount, z.array(FlavorWatch)),
  /** Fails with invalid-input (flavor) if the catalog lacks the flavor, and as the client does. */
  'catalog.watch': call(
    z.object({
      account: AccountId,
      kind: MachineKind,
      flavor: z.string().min(1),
      region: RegionRef,
      watched: z.boolean(),
    }),
    z.array(FlavorWatch),
  ),
} as const

export const catalogEvents = {
  /** The assumed currency of the account's prices changed. */
  'catalog.currencyChanged': z.object({
    account: AccountId,
    currency: z.string(),
    currencyAssumed: z.boolean(),
  }),
  'catalog.changed': OneShown.extend({ failure: Failure.nullable() }),
  /** `restocked` flavors are available again and no longer watched. */
  'catalog.watchesChanged': z.object({
    account: AccountId,
    watches: z.array(FlavorWatch),
    restocked: z.array(FlavorWatch),
  }),
} as const
