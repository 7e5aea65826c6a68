import { z } from 'zod'
import { Money } from '../money/money'
import { latestTime } from '../service/time'
import { AccountId } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'

/** An amount. `assumed`: no answer reported its currency, so it is the one that the account is set to. */
export const Amount = z.object({ money: Money, assumed: z.boolean() })
export type Amount = z.infer<typeof Amount>

/** What a charge is for. `name` is what it is or was called, also once it no longer exists; null: unknown. */
export const BilledResource = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** As the service says it: vm or volume so far. Bare metal comes as vm. */
  type: z.string().nullable(),
  /** Whether it has come to its end; null: unknown. */
  ended: z.boolean().nullable(),
})
export type BilledResource = z.infer<typeof BilledResource>

/** One charge, for [`startedAt`, `dueAt`) in epoch seconds. `amount` is null where it is no exact number. */
export const StatementView = z.object({
  id: z.string(),
  resource: BilledResource,
  startedAt: z.number(),
  dueAt: z.number(),
  /** As the service says them; values never seen before are shown as they are. */
  type: z.string().nullable(),
  status: z.string().nullable(),
  amount: Amount.nullable(),
})
export type StatementView = z.infer<typeof StatementView>

/** What a resource has cost in its life. Times are epoch seconds, null is unknown. */
export const UsageView = z.object({
  id: z.string(),
  resource: BilledResource,
  createdAt: z.number().nullable(),
  /** Null while it lives. */
  terminatedAt: z.number().nullable(),
  minutes: z.number().nullable(),
  /** The fee per minute times 60, rounded to the millionth once. */
  perHour: Amount.nullable(),
  total: Amount.nullable(),
  status: z.string().nullable(),
})
export type UsageView = z.infer<typeof UsageView>

/** Fields by which the service sorts and filters (api-spec.md §2), named as in the views. */
export const StatementSort = z.enum(['startedAt', 'dueAt', 'resourceType', 'type', 'status', 'amount'])
export const UsageSort = z.enum([
  'name',
  'resourceType',
  'createdAt',
  'terminatedAt',
  'minutes',
  'perHour',
  'total',
  'status',
])
export type StatementSort = z.infer<typeof StatementSort>
export type UsageSort = z.infer<typeof UsageSort>

const Moment = z.int().min(0).max(latestTime)
const filter = {
  /** Epoch seconds: begun (a statement) or created (a resource) at `from` or later, and before `to`. */
  from: Moment.optional(),
  to: Moment.optional(),
  /** A resource's id. */
  resource: z.string().min(1).optional(),
  resourceType: z.string().min(1).optional(),
  status: z.string().min(1).optional(),
}
export const StatementFilter = z.object({ ...filter, type: z.string().min(1).optional() })
const UsageFilter = z.object({
  ...filter,
  /** Occurs in the resource's name. */
  name: z.string().min(1).optional(),
})
export type StatementFilter = z.infer<typeof StatementFilter>
type UsageFilter = z.infer<typeof UsageFilter>

/** A table of the billing page as it is filtered and sorted, by the service itself. */
export const StatementQuery = z.object({
  kind: z.literal('statements'),
  filter: StatementFilter,
  sort: StatementSort,
  descending: z.boolean(),
})
export const UsageQuery = z.object({
  kind: z.literal('usage'),
  filter: UsageFilter,
  sort: UsageSort,
  descending: z.boolean(),
})
export const BillingQuery = z.discriminatedUnion('kind', [StatementQuery, UsageQuery])
export type StatementQuery = z.infer<typeof StatementQuery>
export type UsageQuery = z.infer<typeof UsageQuery>
export type BillingQuery = z.infer<typeof BillingQuery>

/**
 * A page of a table. `total` counts what passes the filter, records that cannot be read among it; null where the
 * service does not say.
 */
const page = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: z.number().nullable(),
    /** Absent where all could be read. */
    unreadable: UnreadableRecords.optional(),
  })

/** What all entries that pass a filter come to. Different currencies are never added. */
export const BillingTotal = z.object({
  entries: z.number().int(),
  amounts: z.array(Amount),
  /** Entries whose amount is no exact number: they are in no sum. */
  unreadable: z.number().int(),
  /** False: the list went on changing while it was read, so something may be missing. */
  complete: z.boolean(),
  /** Where it comes from: the local ledger, up to date as of so many epoch seconds, or the service's pages just now. */
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ledger'), asOf: z.number() }),
    z.object({ kind: z.literal('service') }),
  ]),
})
export type BillingTotal = z.infer<typeof BillingTotal>

/** Names something that takes a while, chosen by the window: its progress and its end are reported under it. */
export const JobId = z.string().regex(/^[a-z0-9-]{8,40}$/)
export type JobId = z.infer<typeof JobId>

const OneAccount = z.object({ account: AccountId })
const range = { offset: z.int().nonnegative(), limit: z.int().min(1).max(500) }

export const billingCalls = {
  /** `limit` entries from `offset` on, fewer only at the end and where some cannot be read. Fails as the client does. */
  'billing.statements': call(OneAccount.extend({ query: StatementQuery, ...range }), page(StatementView)),
  'billing.usage': call(OneAccount.extend({ query: UsageQuery, ...range }), page(UsageView)),
  /**
   * Adds up all pages, or asks the ledger where that knows all. Null: there are more than `atMost` entries and the
   * ledger does not know them, so that it would take a while. Fails as the client does, and with cancelled.
   */
  'billing.total': call(
    OneAccount.extend({ query: BillingQuery, job: JobId, atMost: z.int().positive().nullable() }),
    BillingTotal.nullable(),
  ),
  /** Everything that was ever billed, as far as it is known, by name. */
  'billing.resources': call(OneAccount, z.array(BilledResource)),
  /** Cancels a total or an export, which then fails with cancelled. One that has ended already stays as it is. */
  'billing.cancel': call(z.object({ job: JobId }), z.void()),
} as const

export const billingEvents = {
  /** How far a total or an export has come, in entries. */
  'billing.progress': z.object({
    account: AccountId,
    job: JobId,
    done: z.number().int(),
    total: z.number().nullable(),
  }),
} as const
