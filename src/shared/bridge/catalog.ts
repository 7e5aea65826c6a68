import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { AccountId } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'

/** Virtual machines and bare metal have catalogs of their own (api-spec.md §4). */
export const MachineKind = z.enum(['machine', 'bare-metal'])
export type MachineKind = z.infer<typeof MachineKind>

/** Where something is, as reported by the service: an id, a name, both or neither. */
export const RegionRef = z.object({ id: z.string().nullable(), name: z.string().nullable() })
export type RegionRef = z.infer<typeof RegionRef>

/** A flavor in one region. `ram`, `disk` and `ephemeral` are GB. Null: not reported by the service. */
export const FlavorView = z.object({
  id: z.string(),
  name: z.string(),
  region: RegionRef,
  /** Per hour, as the catalog says: an estimate, the usage of a running machine is the truth. */
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

/** An operating system image in one region. */
export const ImageView = z.object({
  id: z.string(),
  name: z.string(),
  region: RegionRef,
  /** Of the operating system. */
  type: z.string().nullable(),
  description: z.string().nullable(),
})
export type ImageView = z.infer<typeof ImageView>

/** A region, from GET /regions where it is offered and from flavors and images everywhere. */
export const RegionView = RegionRef.extend({
  description: z.string().nullable(),
  /** How many flavors and images of the kind asked for it offers. */
  flavors: z.number().int(),
  images: z.number().int(),
})
export type RegionView = z.infer<typeof RegionView>

/** `asOf`: epoch seconds. `unreadable`: of the records that the service answered, absent where all could be read. */
const listed = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), asOf: z.number(), unreadable: UnreadableRecords.optional() })

/** `fresh`: asks the service even where it was asked within the last minute. */
const OneCatalog = z.object({ account: AccountId, kind: MachineKind, fresh: z.boolean().optional() })
/** `region`: an id, sent to the service, which then answers for that region alone. */
const OneList = OneCatalog.extend({ region: z.string().min(1).optional() })

/** One list of a catalog, as it is on screen. */
const OneShown = OneList.omit({ fresh: true }).extend({ list: z.enum(['flavors', 'images']) })

/** A flavor that the person waits for. `since` is epoch seconds. */
export const FlavorWatch = z.object({
  kind: MachineKind,
  flavor: z.string().min(1),
  name: z.string(),
  region: RegionRef,
  since: z.number(),
})
export type FlavorWatch = z.infer<typeof FlavorWatch>

export const catalogCalls = {
  /** `currencyAssumed`: nothing names the currency of the account, and so of its prices. */
  'catalog.flavors': call(OneList, listed(FlavorView).extend({ currencyAssumed: z.boolean() })),
  'catalog.images': call(OneList, listed(ImageView)),
  /**
   * Sorted by name. `unreadable`: of the list of regions alone. `failure`: why that list could not be read; there are
   * then only the regions that flavors and images name.
   */
  'catalog.regions': call(OneCatalog, listed(RegionView).extend({ failure: Failure.optional() })),
  /** While the window looks at a list it is read every minute: see catalog.changed. */
  'catalog.look': call(OneShown.extend({ looking: z.boolean() }), z.void()),
  'catalog.watches': call(z.object({ account: AccountId }), z.array(FlavorWatch)),
  /** Fails with invalid-input (flavor) where the catalog has no such flavor, and as the client does. */
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
  /** The prices of the account are in another currency by what is known now. */
  'catalog.currencyChanged': z.object({
    account: AccountId,
    currency: z.string(),
    currencyAssumed: z.boolean(),
  }),
  /** A list was read again while the window looks at it, or `failure` says why it could not be. */
  'catalog.changed': OneShown.extend({ failure: Failure.nullable() }),
  /** `restocked` came back just now, and is watched no longer. */
  'catalog.watchesChanged': z.object({
    account: AccountId,
    watches: z.array(FlavorWatch),
    restocked: z.array(FlavorWatch),
  }),
} as const
