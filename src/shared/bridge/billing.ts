import { z } from 'zod'
import { Money } from '../money/money'
import { latestTime } from '../service/time'
import { AccountId, OneAccount } from './account'
import { call, variant } from './define'
import { UnreadableRecords } from './listing'

/** An amount. `assumed`: its currency is the account's setting, as no answer reported one. */
export const Amount = z.object({ money: Money, assumed: z.boolean() })
export type Amount = z.infer<typeof Amount>

/** Resource of a charge. `name` is its last known name; null if unknown. */
export const BilledResource = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** Verbatim from the service: vm or volume so far. Bare metal is vm. */
  type: z.string().nullable(),
  ended: z.boolean().nullable(),
})
export type BilledResource = z.infer<typeof BilledResource>

/** One charge for [`startedAt`, `dueAt`) in epoch seconds. `amount` is null if it is not an exact number. */
export const StatementView = z.object({
  id: z.string(),
  resource: BilledResource,
  startedAt: z.number(),
  dueAt: z.number(),
  type: z.string().nullable(),
  status: z.string().nullable(),
  amount: Amount.nullable(),
})
export type StatementView = z.infer<typeof StatementView>

/** Lifetime cost of a resource. Times are epoch seconds; null is unknown. */
export const UsageView = z.object({
  id: z.string(),
  resource: BilledResource,
  createdAt: z.number().nullable(),
  terminatedAt: z.number().nullable(),
  minutes: z.number().nullable(),
  /** Fee per minute times 60, rounded once to millionths. */
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
  /** Epoch seconds. A statement began, or a resource was created, at or after `from` and before `to`. */
  from: Moment.optional(),
  to: Moment.optional(),
  resource: z.string().min(1).optional(),
  resourceType: z.string().min(1).optional(),
  status: z.string().min(1).optional(),
}
export const StatementFilter = z.object({ ...filter, type: z.string().min(1).optional() })
const UsageFilter = z.object({
  ...filter,
  name: z.string().min(1).optional(),
})
export type StatementFilter = z.infer<typeof StatementFilter>
type UsageFilter = z.infer<typeof UsageFilter>

export const StatementQuery = variant('statements', {
  filter: StatementFilter,
  sort: StatementSort,
  descending: z.boolean(),
})
export const UsageQuery = variant('usage', {
  filter: UsageFilter,
  sort: UsageSort,
  descending: z.boolean(),
})
export const BillingQuery = z.discriminatedUnion('kind', [StatementQuery, UsageQuery])
export type StatementQuery = z.infer<typeof StatementQuery>
export type UsageQuery = z.infer<typeof UsageQuery>
export type BillingQuery = z.infer<typeof BillingQuery>

/** `total` counts matching records, including unreadable ones; null if the service does not report it. */
const page = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: z.number().nullable(),
    unreadable: UnreadableRecords.optional(),
  })

/** Sums over all entries that pass a filter. Different currencies are never added. */
export const BillingTotal = z.object({
  entries: z.number().int(),
  amounts: z.array(Amount),
  unreadable: z.number().int(),
  /** False if the list kept changing while it was read, so entries may be missing. */
  complete: z.boolean(),
  /** The local ledger, up to date at `asOf` (epoch seconds), or the service's pages. */
  source: z.discriminatedUnion('kind', [variant('ledger', { asOf: z.number() }), variant('service', {})]),
})
export type BillingTotal = z.infer<typeof BillingTotal>

/** Id of a long operation, chosen by the window to receive its progress. */
export const JobId = z.string().regex(/^[a-z0-9-]{8,40}$/)
export type JobId = z.infer<typeof JobId>

const range = { offset: z.int().nonnegative(), limit: z.int().min(1).max(500) }

export const billingCalls = {
  /** Returns `limit` entries from `offset` on, fewer at the end or if some are unreadable. */
  'billing.statements': call(OneAccount.extend({ query: StatementQuery, ...range }), page(StatementView)),
  'billing.usage': call(OneAccount.extend({ query: UsageQuery, ...range }), page(UsageView)),
  /**
   * Sums all pages, or asks the ledger if it is complete. Returns null if the ledger is incomplete and there are more
   * than `atMost` entries, as reading them would take long. Fails as the client does, and with cancelled.
   */
  'billing.total': call(
    OneAccount.extend({ query: BillingQuery, job: JobId, atMost: z.int().positive().nullable() }),
    BillingTotal.nullable(),
  ),
  'billing.resources': call(OneAccount, z.array(BilledResource)),
  /** Cancels a total or an export, which then fails with cancelled. Ignored if it has ended. */
  'billing.cancel': call(z.object({ job: JobId }), z.void()),
} as const

export const billingEvents = {
  /** Progress of a total or an export in entries. */
  'billing.progress': z.object({
    account: AccountId,
    job: JobId,
    done: z.number().int(),
    total: z.number().nullable(),
  }),
} as const
