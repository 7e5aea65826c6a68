import { z } from 'zod'
import { AccountId, OneAccount } from './account'
import { AlertCause } from './alert'
import { call, variant } from './define'

const machine = { machine: z.string(), name: z.string() }

export const ActivityEvent = z.discriminatedUnion('kind', [
  variant('machine-new', { ...machine, status: z.string().nullable() }),
  variant('machine-state', { ...machine, status: z.string().nullable() }),
  variant('machine-gone', machine),
  variant('volume-new', { volume: z.string(), name: z.string() }),
  variant('volume-gone', { volume: z.string(), name: z.string() }),
  variant('alert', { cause: AlertCause, since: z.number() }),
  variant('sign-in-lost', {}),
])
export type ActivityEvent = z.infer<typeof ActivityEvent>

/** `at` is epoch seconds. */
export const Activity = z.object({
  id: z.string(),
  account: AccountId,
  at: z.number(),
  event: ActivityEvent,
})
export type Activity = z.infer<typeof Activity>

/** Activities stored per account, the latest. */
export const maxActivities = 100

export const activityCalls = {
  'activity.list': call(OneAccount, z.array(Activity)),
} as const

export const activityEvents = {
  'activity.added': Activity,
} as const
