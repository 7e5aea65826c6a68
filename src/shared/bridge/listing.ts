import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'

export const UnreadableRecords = z.object({
  count: z.number().int().positive(),
  /** The first twenty records, one per line, with possible secrets masked. */
  text: z.string(),
})
export type UnreadableRecords = z.infer<typeof UnreadableRecords>

/** State of reading an account's machines or volumes. */
export const ListStatus = z.object({
  /** Epoch seconds of the last complete reading; null before the first. */
  asOf: z.number().nullable(),
  reading: z.boolean(),
  /** Number that the service reports; null if not reported. */
  total: z.number().nullable(),
  /** Why the last reading failed; the data are then from `asOf`. */
  failure: Failure.nullable(),
  unreadable: UnreadableRecords.optional(),
})
export type ListStatus = z.infer<typeof ListStatus>

export const listRevision = <Status extends z.ZodType>(status: Status) =>
  z.object({ account: AccountId, revision: z.number().int(), status })

/** Follows `revision - 1`. A receiver that missed a revision requests a snapshot. */
export const listChange = <View extends z.ZodType, Status extends z.ZodType>(view: View, status: Status) =>
  listRevision(status).extend({ upserts: z.array(view), removes: z.array(z.string()) })

export interface ListChange<View, Status> {
  readonly account: AccountId
  readonly revision: number
  readonly upserts: View[]
  readonly removes: string[]
  readonly status: Status
}
