import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'

/** A notification about one machine at a time that a person chose. `at` is epoch seconds. */
export const Reminder = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  /** The machine's, when the reminder was set. */
  name: z.string(),
  at: z.number().int(),
  /** It was shown, and waits to be dismissed. */
  notified: z.boolean(),
})
export type Reminder = z.infer<typeof Reminder>

/** Seconds ahead that a reminder may lie: a year. */
export const farthestReminder = 366 * 86_400

export const reminderCalls = {
  'reminders.list': call(z.object({ account: AccountId }), z.array(Reminder)),
  /** Fails with invalid-input (machine; at: out-of-range where it is over or too far), local-fault. */
  'reminders.add': call(
    z.object({ account: AccountId, machine: z.string().min(1), at: z.number().int() }),
    Reminder,
  ),
  /** Cancels one that is pending, and dismisses one that was shown. Fails with local-fault. */
  'reminders.cancel': call(z.object({ account: AccountId, reminder: z.string() }), z.void()),
} as const

export const reminderEvents = {
  'reminders.changed': z.object({ account: AccountId, reminders: z.array(Reminder) }),
  'reminders.due': Reminder,
} as const
