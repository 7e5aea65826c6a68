import { z } from 'zod'
import { Creation } from '#shared/bridge/creation'

/** Start state of a life of the application. */
export const Orders = z.object({
  folder: z.string(),
  baseUrl: z.string(),
  username: z.string(),
  password: z.string(),
  /** Number of its creations, settings and notes. */
  life: z.int(),
  /** The last life: it only follows pending work. */
  isLast: z.boolean(),
})
export type Orders = z.infer<typeof Orders>

/** State after the application had started. */
export const Found = z.object({
  store: z.string(),
  /** SQLite's result of checking the whole file. */
  integrity: z.string(),
  /** The newest note, and the newest port, by the life that wrote it. */
  notes: z.record(z.string(), z.string()),
  port: z.number().nullable(),
  creations: z.array(Creation),
  statements: z.int(),
})
export type Found = z.infer<typeof Found>

/** Messages of a life: its start, and confirmations to the user. */
export const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), found: Found }),
  z.object({ kind: z.literal('noted'), resource: z.string(), text: z.string() }),
  z.object({ kind: z.literal('set'), port: z.number() }),
  z.object({ kind: z.literal('created'), creation: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('settled'),
    creations: z.array(Creation),
    statements: z.int(),
    sum: z.number(),
  }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])
export type Message = z.infer<typeof Message>
