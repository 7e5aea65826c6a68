import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call, variant } from './define'
import { GpuDefect } from './gpu'
import { MachineUse } from './idle'

const machine = { machine: z.string(), name: z.string() }

/** Cause of an alert with its amounts. `month` is YYYY-MM in the user's time zone. */
export const AlertCause = z.discriminatedUnion('kind', [
  variant('budget-reached', { month: z.string(), spent: Money, budget: Money }),
  /** `forecast`: cost of the whole month. */
  variant('budget-forecast', { month: z.string(), forecast: Money, budget: Money }),
  variant('hourly-limit', { perHour: Money, limit: Money }),
  /** The machine has been running for longer than `hours`. Rate and cost if known. */
  variant('long-running', {
    ...machine,
    hours: z.number(),
    perHour: Money.nullable(),
    cost: Money.nullable(),
  }),
  /** `left`: seconds until the balance is used up at the current rate. `days`: the alert's limit. */
  variant('balance-low', { balance: Money, perHour: Money, left: z.number(), days: z.number() }),
  /** The machine is unused; `cost` since then. */
  variant('idle', { ...machine, cost: Money.nullable(), use: MachineUse }),
  /** `mount`: mount point of the disk. `share`: used part, 0 to 1. `fullIn`: seconds until it is full; null if unknown. */
  variant('disk-full', {
    ...machine,
    mount: z.string(),
    share: z.number(),
    fullIn: z.number().nullable(),
  }),
  variant('gpu-defect', { ...machine, defect: GpuDefect }),
  /** The service bills the machine as running, and SSH does not reach it. */
  variant('unreachable', machine),
])
export type AlertCause = z.infer<typeof AlertCause>
export type AlertKind = AlertCause['kind']

/** `since` and `snoozedUntil` are epoch seconds. */
export const Alert = z.object({
  id: z.string(),
  account: AccountId,
  cause: AlertCause,
  since: z.number(),
  snoozedUntil: z.number().nullable(),
})
export type Alert = z.infer<typeof Alert>

/** `tomorrow`: nine o'clock on the next day. */
export const SnoozeLength = z.enum(['hour', 'tomorrow', 'week'])
export type SnoozeLength = z.infer<typeof SnoozeLength>

const Positive = Money.refine(({ millionths }) => millionths > 0)

/** Alert limits of an account; null turns an alert off. */
export const AlertLimits = z.object({
  budget: Positive.nullable().default(null),
  /** Per hour, for all resources together. */
  perHour: Positive.nullable().default(null),
  runningHours: z.number().int().min(1).max(8_784).nullable().default(null),
  /** Days that the balance must last, if the service reports it. */
  balanceDays: z.number().int().min(1).max(366).nullable().default(3),
})
export type AlertLimits = z.infer<typeof AlertLimits>

const OneAlert = OneAccount.extend({ alert: z.string() })

export const alertCalls = {
  'alerts.list': call(OneAccount, z.array(Alert)),
  /** Null ends the snooze. Fails with invalid-input (alert) if the alert is no longer active, and local-fault. */
  'alerts.snooze': call(OneAlert.extend({ length: SnoozeLength.nullable() }), z.void()),
  /** Hides the alert until its cause has ended and occurs again. Fails as alerts.snooze does. */
  'alerts.dismiss': call(OneAlert, z.void()),
  'alerts.limits': call(OneAccount, AlertLimits),
  'alerts.setLimits': call(OneAccount.extend({ limits: AlertLimits }), AlertLimits),
} as const

export const alertEvents = {
  'alerts.changed': z.object({ account: AccountId, alerts: z.array(Alert) }),
} as const
