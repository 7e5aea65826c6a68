import { z } from 'zod'
import { Failure } from '../failure'
import { Millionths } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call, variant } from './define'

/**
 * Cost of a period up to now. `charged`: amount of statements, prorated over their time. `estimated`: fee per minute
 * for the time that no statement covers yet. The total is their sum.
 */
export const Cost = z.object({ charged: Millionths, estimated: Millionths })
export type Cost = z.infer<typeof Cost>

/** `assumed`: the currency is the account's setting, as an answer named none. Currencies are never added. */
const InCurrency = z.object({ currency: z.string().min(1), assumed: z.boolean() })

/**
 * Completeness of the statements: all, not all yet, or none because this computer cannot store them. With `none`,
 * everything is estimated from the fees of usage.
 */
export const CostHistory = z.enum(['complete', 'partial', 'none'])
export type CostHistory = z.infer<typeof CostHistory>

/** Forecast to the end of the month in the user's time zone if all resources keep running. */
const Forecast = z.object({
  total: Millionths,
  /** From now to the end of the month, including amounts charged in advance. */
  rest: Millionths,
  /** Running resources in this currency, and their total cost per hour. */
  running: z.int(),
  perHour: Millionths,
  /** Resources with an unknown fee, which no amount includes. */
  unpriced: z.int(),
  undated: z.int(),
})
type Forecast = z.infer<typeof Forecast>

export const CurrencySpending = InCurrency.extend({
  perHour: Millionths,
  today: Cost,
  month: Cost,
  lastMonth: Cost,
  forecast: Forecast,
})
export type CurrencySpending = z.infer<typeof CurrencySpending>

/** Spending of an account, by currency. Times are epoch seconds. */
export const SpendingView = z.object({
  account: AccountId,
  sandbox: z.boolean(),
  asOf: z.number(),
  /** IANA time zone of days and months. */
  timeZone: z.string(),
  todayStart: z.number(),
  monthStart: z.number(),
  monthEnd: z.number(),
  history: CostHistory,
  /** When the service last reported usage; null: not yet. `failure`: why later readings failed. */
  usageAsOf: z.number().nullable(),
  failure: Failure.nullable(),
  /** Numbers of resources that are charged now. */
  running: z.object({ machines: z.int(), bareMetal: z.int(), volumes: z.int(), others: z.int() }),
  currencies: z.array(CurrencySpending),
})
export type SpendingView = z.infer<typeof SpendingView>

const CalendarDate = z.iso.date()
/** `until` is the first day after the period. */
export const Period = z.object({ from: CalendarDate, until: CalendarDate })

/** Segment of a stack. `none`: no GPU, as for volumes. `unknown`: never seen here. `others`: sum of the rest. */
export const CostShare = z.discriminatedUnion('kind', [
  variant('total', {}),
  /** `key`: the resource's id, else the same as `name`. */
  variant('named', { key: z.string(), name: z.string() }),
  variant('none', {}),
  variant('unknown', {}),
  variant('others', { count: z.int() }),
])
export type CostShare = z.infer<typeof CostShare>

/** One value per bucket, in whole millionths. */
const Amounts = z.instanceof(Float64Array)

export const CostSeries = z.object({
  share: CostShare,
  charged: Amounts,
  estimated: Amounts,
  /** Charged in advance for time after now; not part of the spending so far. */
  ahead: Amounts,
  /** `charged` and `estimated` of all buckets. */
  total: Millionths,
})
export type CostSeries = z.infer<typeof CostSeries>

export const CostDays = z.object({
  account: AccountId,
  asOf: z.number(),
  timeZone: z.string(),
  history: CostHistory,
  /** Start of each bucket in epoch seconds; a day may have 23 or 25 hours. `end`: end of the last bucket. */
  starts: z.instanceof(Float64Array),
  end: z.number(),
  currencies: z.array(InCurrency.extend({ series: z.array(CostSeries) })),
})
export type CostDays = z.infer<typeof CostDays>

/** Facts about a resource from the service and from this computer; null is unknown. Times are epoch seconds. */
export const CostResource = z.object({
  id: z.string(),
  type: z.string().nullable(),
  name: z.string().nullable(),
  state: z.enum(['active', 'terminated', 'unknown']),
  flavor: z.string().nullable(),
  /** A GPU model; 'none': it has no GPU. */
  gpu: z.string().nullable(),
  gpuCount: z.number().nullable(),
  region: z.string().nullable(),
  createdAt: z.number().nullable(),
  terminatedAt: z.number().nullable(),
  firstSeen: z.number().nullable(),
  lastSeen: z.number().nullable(),
})
export type CostResource = z.infer<typeof CostResource>

export const ResourceCost = InCurrency.extend({
  resource: CostResource,
  period: Cost,
  /** Seconds of the period that were charged or estimated. */
  seconds: z.number(),
  /** `seconds` times the number of GPUs, in hours, and the cost per GPU-hour; null if the GPUs are unknown or none. */
  gpuHours: z.number().nullable(),
  perGpuHour: Millionths.nullable(),
  /** Lifetime cost by usage. Never added to `period`; null if usage does not report it. */
  life: Millionths.nullable(),
  /** 0 if it no longer runs; null if its fee is unknown. */
  perHour: Millionths.nullable(),
})
export type ResourceCost = z.infer<typeof ResourceCost>

/** Current charge for one resource. `perHour`: null if its fee is unknown. `soFar`: lifetime cost. */
export const ActiveCost = z.object({
  id: z.string(),
  name: z.string().nullable(),
  type: z.string().nullable(),
  /** Epoch seconds. */
  createdAt: z.number().nullable(),
  currency: z.string().min(1),
  perHour: Millionths.nullable(),
  soFar: Millionths.nullable(),
})
export type ActiveCost = z.infer<typeof ActiveCost>

const Dated = z.object({ account: AccountId, asOf: z.number(), history: CostHistory })

export const ResourceCosts = Dated.extend({
  items: z.array(ResourceCost),
  count: z.int(),
})
export type ResourceCosts = z.infer<typeof ResourceCosts>

export const GpuCost = InCurrency.extend({
  share: CostShare,
  cost: Cost,
  gpuHours: z.number().nullable(),
  perGpuHour: Millionths.nullable(),
})
export type GpuCost = z.infer<typeof GpuCost>

/** A volume that is attached to nothing and still paid for. `size` is GB. */
export const DetachedVolume = InCurrency.extend({
  volume: z.string(),
  name: z.string().nullable(),
  size: z.number().nullable(),
  region: z.string().nullable(),
  life: Millionths.nullable(),
  perHour: Millionths.nullable(),
})
export type DetachedVolume = z.infer<typeof DetachedVolume>

/** Difference between usage and the statements with the uncovered rest of the same time. */
export const Disagreement = InCurrency.extend({
  resource: CostResource,
  statements: Cost,
  usage: Millionths,
  difference: Millionths,
})
export type Disagreement = z.infer<typeof Disagreement>

export const Disagreements = Dated.extend({
  /** The largest difference first. Empty while the history is incomplete. */
  items: z.array(Disagreement),
  compared: z.int(),
})
export type Disagreements = z.infer<typeof Disagreements>

/** Currency of amounts for which no answer names one. `chosen`: set by the user. */
export const AccountCurrency = z.object({ currency: z.string(), chosen: z.boolean() })
export type AccountCurrency = z.infer<typeof AccountCurrency>

/** Every call fails with invalid-input (account) for an unknown account. */
export const costCalls = {
  'cost.spending': call(OneAccount, SpendingView),
  /**
   * Cost over time, one bucket per day or month of the user's calendar. `limit`: number of series per currency, the
   * rest is `others`; `only`: ids of resources. Fails with invalid-input (until) if the period is empty or longer
   * than ten years.
   */
  'cost.days': call(
    OneAccount.extend({
      ...Period.shape,
      unit: z.enum(['day', 'month']),
      by: z.enum(['total', 'resource', 'type', 'gpu', 'region']),
      limit: z.int().positive(),
      only: z.array(z.string()).optional(),
    }),
    CostDays,
  ),
  'cost.resources': call(
    OneAccount.extend({
      period: Period.nullable(),
      only: z.array(z.string()).nullable(),
      limit: z.int().positive().nullable(),
    }),
    ResourceCosts,
  ),
  'cost.active': call(OneAccount, z.array(ActiveCost)),
  /** Cost per GPU-hour, by model, of the machines charged in the period. */
  'cost.gpus': call(OneAccount.extend({ period: Period }), Dated.extend({ items: z.array(GpuCost) })),
  'cost.detachedVolumes': call(OneAccount, Dated.extend({ items: z.array(DetachedVolume) })),
  'cost.disagreements': call(OneAccount, Disagreements),
  'cost.currency': call(OneAccount, AccountCurrency),
  /** An ISO 4217 code; null for the application's assumption. */
  'cost.setCurrency': call(
    OneAccount.extend({
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .nullable(),
    }),
    AccountCurrency,
  ),
} as const

export const costEvents = {
  /** Costs of an account changed: sent at most once a minute, and when the ledger or the fleet changes. */
  'cost.changed': SpendingView,
} as const
