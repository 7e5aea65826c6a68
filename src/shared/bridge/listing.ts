import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'

/** Records of a list that are not as documented. */
export const UnreadableRecords = z.object({
  count: z.number().int().positive(),
  /** What came, one record a line, all that may be secret masked; of the first twenty. */
  text: z.string(),
})
export type UnreadableRecords = z.infer<typeof UnreadableRecords>

/** How well the picture of an account's machines or volumes is known. */
export const ListStatus = z.object({
  /** Epoch seconds of the last complete reading; null before the first. */
  asOf: z.number().nullable(),
  reading: z.boolean(),
  /** How many the service says there are; null where it does not say. */
  total: z.number().nullable(),
  /** Why the last reading failed; what is shown is then that of `asOf`. */
  failure: Failure.nullable(),
  /** Records that the last complete reading could not read; absent where it could read all. */
  unreadable: UnreadableRecords.optional(),
})
export type ListStatus = z.infer<typeof ListStatus>

/** What a list holds at one revision, beside its items. */
export const listRevision = <Status extends z.ZodType>(status: Status) =>
  z.object({ account: AccountId, revision: z.number().int(), status })

/** Follows the snapshot or change of `revision - 1`; a receiver that missed it asks for a snapshot. */
export const listChange = <View extends z.ZodType, Status extends z.ZodType>(view: View, status: Status) =>
  listRevision(status).extend({ upserts: z.array(view), removes: z.array(z.string()) })

/** A change as both sides work with it, whatever is listed. */
export interface ListChange<View, Status> {
  readonly account: AccountId
  readonly revision: number
  readonly upserts: View[]
  readonly removes: string[]
  readonly status: Status
}
