import { z } from 'zod'
import { AccountId, OneAccount } from './account'
import { call } from './define'

const Tag = z.string().trim().min(1).max(30)

/** The user's note on a resource. Kept on this computer and never sent to the service. */
export const Note = z.object({ text: z.string().max(2_000), tags: z.array(Tag).max(20) })
export type Note = z.infer<typeof Note>

export const Notes = z.record(z.string(), Note)
export type Notes = z.infer<typeof Notes>

export const noteCalls = {
  'notes.list': call(OneAccount, Notes),
  /** An empty note is deleted. Fails with local-fault. */
  'notes.change': call(z.object({ account: AccountId, resource: z.string().min(1), note: Note }), z.void()),
} as const

export const noteEvents = {
  'notes.changed': z.object({ account: AccountId, notes: Notes }),
} as const
