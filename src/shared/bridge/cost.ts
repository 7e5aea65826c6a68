import { z } from 'zod'
import { Failure } from '../failure'
import { Millionths } from '../money/money'
import { AccountId } from './account'
import { call } from './define'

/**
 * What a stretch of time up to now cost. `charged` is what statements say, prorated over the time that each covers;
 * `estimated` is the fee per minute of what no statement covers yet. Both together are the cost.
 */
export const Cost = z.object({ charged: Millionths, estimated: Millionths })
export type Cost = z.infer<typeof Cost>

/** `assumed`: no answer named the currency of some of it, so that it is the account's setting. Never added to another. */
const InCurrency = z.object({ currency: z.string().min(1), assumed: z.boolean() })

/**
 * How much of the past is known: every statement, not all of them yet, or none because nothing can be kept on this
 * computer. With `none` everything is estimated from the fees that usage reports.
 */
export const CostHistory = z.enum(['complete', 'partial', 'none'])
export type CostHistory = z.infer<typeof CostHistory>

/** To the end of the month in the person's time zone, if all that runs now runs on at its fee. */
const Forecast = z.object({
  /** The month so far and the rest of it. */
  total: Millionths,
  /** From now to the end of the month, what is charged ahead for that time included. */
  rest: Millionths,
  /** How many resources run now and are charged for in this currency, and what they cost per hour together. */
  running: z.int(),
  perHour: Millionths,
  /** How many of these run at an unknown fee, which no amount includes. */
  unpriced: z.int(),
  /** How many run at a known fee since an unknown time: no amount of the past includes them. */
  undated: z.int(),
})
type Forecast = z.infer<typeof Forecast>

export const CurrencySpending = InCurrency.extend({
  /** What is leaving the account per hour now. */
  perHour: Millionths,
  today: Cost,
  month: Cost,
  lastMonth: Cost,
  forecast: Forecast,
})
export type CurrencySpending = z.infer<typeof CurrencySpending>

/** What an account spends, by currency. Times are epoch seconds. */
export const SpendingView = z.object({
  account: AccountId,
  /** The sandbox's money is never added to real money. */
  sandbox: z.boolean(),
  asOf: z.number(),
  /** Days and months are those of this time zone (IANA name). */
  timeZone: z.string(),
  todayStart: z.number(),
  monthStart: z.number(),
  monthEnd: z.number(),
  history: CostHistory,
  /** When the service last reported what runs; null: not yet. `failure`: why it could not be asked since. */
  usageAsOf: z.number().nullable(),
  failure: Failure.nullable(),
  /** What is charged for now. */
  running: z.object({ machines: z.int(), volumes: z.int(), others: z.int() }),
  /** The currency with the most per hour first; empty where nothing was ever charged. */
  currencies: z.array(CurrencySpending),
})
export type SpendingView = z.infer<typeof SpendingView>

/** A day of the person's calendar. */
const CalendarDate = z.iso.date()
/** `until` is the first day after it. */
export const Period = z.object({ from: CalendarDate, until: CalendarDate })

/** What one segment of a stack stands for. `none`: no GPU, as of volumes; `unknown`: it was never seen here; `others`: the rest, added up. */
export const CostShare = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('total') }),
  /** `key`: the resource's id, else the same as `name`. */
  z.object({ kind: z.literal('named'), key: z.string(), name: z.string() }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('others'), count: z.int() }),
])
export type CostShare = z.infer<typeof CostShare>

/** One value per bucket, in whole millionths. */
const Amounts = z.instanceof(Float64Array)

export const CostSeries = z.object({
  share: CostShare,
  charged: Amounts,
  estimated: Amounts,
  /** Charged already for time that has not passed yet: not counted in what was spent so far. */
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
  /** Epoch seconds at which each bucket begins; a day may have 23 or 25 hours. `end` is that of the last one. */
  starts: z.instanceof(Float64Array),
  end: z.number(),
  /** The most expensive series first, `others` last. */
  currencies: z.array(InCurrency.extend({ series: z.array(CostSeries) })),
})
export type CostDays = z.infer<typeof CostDays>

/** What is known of a resource, from the service and from what was seen here; null is unknown. Times are epoch seconds. */
export const CostResource = z.object({
  id: z.string(),
  /** As the service says it: vm or volume. */
  type: z.string().nullable(),
  /** Kept also for what no longer exists. */
  name: z.string().nullable(),
  state: z.enum(['active', 'terminated', 'unknown']),
  flavor: z.string().nullable(),
  /** A GPU model; 'none': it is known to have none. */
  gpu: z.string().nullable(),
  gpuCount: z.number().nullable(),
  region: z.string().nullable(),
  createdAt: z.number().nullable(),
  terminatedAt: z.number().nullable(),
  firstSeen: z.number().nullable(),
  lastSeen: z.number().nullable(),
})
export type CostResource = z.infer<typeof CostResource>

/** What one resource costs in one currency. */
export const ResourceCost = InCurrency.extend({
  resource: CostResource,
  period: Cost,
  /** Seconds of the period that were charged for or estimated. */
  seconds: z.number(),
  /** `seconds` times the number of GPUs, in hours, and what one of them cost; null where the GPUs are unknown or none. */
  gpuHours: z.number().nullable(),
  perGpuHour: Millionths.nullable(),
  /** In its whole life, as usage says. Never added to `period`; null where usage does not report it. */
  life: Millionths.nullable(),
  /** 0 where it no longer runs; null where its fee is not known. */
  perHour: Millionths.nullable(),
})
export type ResourceCost = z.infer<typeof ResourceCost>

/** What is charged for one resource now. `perHour`: null where its fee is unknown; `soFar`: in its whole life. */
export const ActiveCost = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** As the service says it: vm or volume. */
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
  /** The most expensive in the period first. */
  items: z.array(ResourceCost),
  /** How many there are, whatever the limit. */
  count: z.int(),
})
export type ResourceCosts = z.infer<typeof ResourceCosts>

/** What the GPUs of one model cost in a period. `share` is never total or others. */
export const GpuCost = InCurrency.extend({
  share: CostShare,
  cost: Cost,
  gpuHours: z.number().nullable(),
  perGpuHour: Millionths.nullable(),
})
export type GpuCost = z.infer<typeof GpuCost>

/** A volume that is known to be attached to nothing, and is paid for all the same. `size` is GB. */
export const DetachedVolume = InCurrency.extend({
  volume: z.string(),
  name: z.string().nullable(),
  size: z.number().nullable(),
  region: z.string().nullable(),
  life: Millionths.nullable(),
  perHour: Millionths.nullable(),
})
export type DetachedVolume = z.infer<typeof DetachedVolume>

/** Statements and the tail that they do not cover yet, against what usage reported for the same time. */
export const Disagreement = InCurrency.extend({
  resource: CostResource,
  statements: Cost,
  usage: Millionths,
  /** Statements and tail less usage. */
  difference: Millionths,
})
export type Disagreement = z.infer<typeof Disagreement>

export const Disagreements = Dated.extend({
  /** The largest difference first. Empty while the history is not complete: there is nothing to compare. */
  items: z.array(Disagreement),
  /** How many resources were compared. */
  compared: z.int(),
})
export type Disagreements = z.infer<typeof Disagreements>

/** What the account's amounts are in where nothing says. `chosen`: the person said so. */
export const AccountCurrency = z.object({ currency: z.string(), chosen: z.boolean() })
export type AccountCurrency = z.infer<typeof AccountCurrency>

const OneAccount = z.object({ account: AccountId })

/** Every call fails with invalid-input (account) where the account is not known. */
export const costCalls = {
  'cost.spending': call(OneAccount, SpendingView),
  /**
   * Cost over time, a bucket per day or month of the person's calendar. `limit`: so many series per currency, the
   * rest as `others`; `only`: of these resources. Fails with invalid-input (until) where the period is empty or longer than ten years.
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
  /** What each resource costs; without `period` since it exists. `only`: these resources. */
  'cost.resources': call(
    OneAccount.extend({
      period: Period.nullable(),
      only: z.array(z.string()).nullable(),
      limit: z.int().positive().nullable(),
    }),
    ResourceCosts,
  ),
  /** What is charged for now, each resource once in each currency. */
  'cost.active': call(OneAccount, z.array(ActiveCost)),
  /** Cost per GPU-hour, by model, of the machines that were charged for in the period. */
  'cost.gpus': call(OneAccount.extend({ period: Period }), Dated.extend({ items: z.array(GpuCost) })),
  'cost.detachedVolumes': call(OneAccount, Dated.extend({ items: z.array(DetachedVolume) })),
  'cost.disagreements': call(OneAccount, Disagreements),
  'cost.currency': call(OneAccount, AccountCurrency),
  /** An ISO 4217 code; null: the application's own assumption. */
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
  /** Something about the costs of an account changed: at most once a minute, and when the ledger or the fleet changes. */
  'cost.changed': SpendingView,
} as const
