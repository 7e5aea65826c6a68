import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId } from './account'
import { call } from './define'

const cause = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })
const machine = { machine: z.string(), name: z.string() }

/** What an alert is about, and how much. `month` is YYYY-MM in the person's time zone. */
export const AlertCause = z.discriminatedUnion('kind', [
  cause('budget-reached', { month: z.string(), spent: Money, budget: Money }),
  /** `forecast`: what the month will have cost at its end. */
  cause('budget-forecast', { month: z.string(), forecast: Money, budget: Money }),
  cause('hourly-limit', { perHour: Money, limit: Money }),
  /** Runs for longer than `hours`; what it costs per hour and has cost, as far as that is known. */
  cause('long-running', { ...machine, hours: z.number(), perHour: Money.nullable(), cost: Money.nullable() }),
  /** `left` seconds until it is used up at the present rate; an alert from `days` on. */
  cause('balance-low', { balance: Money, perHour: Money, left: z.number(), days: z.number() }),
  /** Does nothing that can be measured; `cost` since then. `strength`: whether its GPU or only its CPU was seen. */
  cause('idle', { ...machine, cost: Money.nullable(), strength: z.enum(['gpu', 'cpu']) }),
])
export type AlertCause = z.infer<typeof AlertCause>
export type AlertKind = AlertCause['kind']

/** Something that costs more than it should. `since` and `snoozedUntil` are epoch seconds. */
export const Alert = z.object({
  id: z.string(),
  account: AccountId,
  cause: AlertCause,
  since: z.number(),
  /** Null: it wants to be looked at now. */
  snoozedUntil: z.number().nullable(),
})
export type Alert = z.infer<typeof Alert>

/** `tomorrow`: nine o'clock of the next day. */
export const SnoozeLength = z.enum(['hour', 'tomorrow', 'week'])
export type SnoozeLength = z.infer<typeof SnoozeLength>

const Positive = Money.refine(({ millionths }) => millionths > 0)

/** What an account is watched for. Null: not watched for it. */
export const AlertLimits = z.object({
  /** Per month. */
  budget: Positive.nullable().default(null),
  /** Per hour, all resources together. */
  perHour: Positive.nullable().default(null),
  /** Hours that a machine may run. */
  runningHours: z.number().int().min(1).max(8_784).nullable().default(null),
  /** Days that the balance must last, where the service reports it. */
  balanceDays: z.number().int().min(1).max(366).nullable().default(3),
})
export type AlertLimits = z.infer<typeof AlertLimits>

const OneAccount = z.object({ account: AccountId })
const OneAlert = OneAccount.extend({ alert: z.string() })

export const alertCalls = {
  /** Those that stand, snoozed ones included, newest first. */
  'alerts.list': call(OneAccount, z.array(Alert)),
  /** Null: it is to be looked at now. Fails with invalid-input (alert) where it does not stand any more, and local-fault. */
  'alerts.snooze': call(OneAlert.extend({ length: SnoozeLength.nullable() }), z.void()),
  /** Not shown again until its cause is gone and begins anew. Fails as alerts.snooze does. */
  'alerts.dismiss': call(OneAlert, z.void()),
  'alerts.limits': call(OneAccount, AlertLimits),
  /** Fails with local-fault. */
  'alerts.setLimits': call(OneAccount.extend({ limits: AlertLimits }), AlertLimits),
} as const

export const alertEvents = {
  'alerts.changed': z.object({ account: AccountId, alerts: z.array(Alert) }),
} as const
