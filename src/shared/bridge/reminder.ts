import { z } from 'zod'
import { AccountId, OneAccount } from './account'
import { call } from './define'

/** A notification about a machine at a time that the user chose. `at` is epoch seconds. */
export const Reminder = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  name: z.string(),
  at: z.number().int(),
  notified: z.boolean(),
})
export type Reminder = z.infer<typeof Reminder>

/** Longest time ahead in seconds: a year. */
export const maxReminderSeconds = 366 * 86_400

export const reminderCalls = {
  'reminders.list': call(OneAccount, z.array(Reminder)),
  /** Fails with invalid-input (machine; at: out-of-range if past or too far ahead), local-fault. */
  'reminders.add': call(
    z.object({ account: AccountId, machine: z.string().min(1), at: z.number().int() }),
    Reminder,
  ),
  'reminders.cancel': call(z.object({ account: AccountId, reminder: z.string() }), z.void()),
} as const

export const reminderEvents = {
  'reminders.changed': z.object({ account: AccountId, reminders: z.array(Reminder) }),
  'reminders.due': Reminder,
} as const
