import { z } from 'zod'
import { AccountId } from './account'
import { AlertCause } from './alert'
import { call } from './define'

const event = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })
const machine = { machine: z.string(), name: z.string() }

export const ActivityEvent = z.discriminatedUnion('kind', [
  event('machine-new', { ...machine, status: z.string().nullable() }),
  event('machine-state', { ...machine, status: z.string().nullable() }),
  event('machine-gone', machine),
  event('volume-new', { volume: z.string(), name: z.string() }),
  event('volume-gone', { volume: z.string(), name: z.string() }),
  event('alert', { cause: AlertCause, since: z.number() }),
  event('sign-in-lost', {}),
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
export const activityKept = 100

export const activityCalls = {
  'activity.list': call(z.object({ account: AccountId }), z.array(Activity)),
} as const

export const activityEvents = {
  'activity.added': Activity,
} as const
