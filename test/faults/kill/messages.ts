import { z } from 'zod'
import { Creation } from '#shared/bridge/creation'

/** What a life of the application begins with. */
export const Orders = z.object({
  folder: z.string(),
  baseUrl: z.string(),
  username: z.string(),
  password: z.string(),
  /** Of its creations, settings and notes. */
  life: z.int(),
  /** The last life: it only follows what was begun. */
  isLast: z.boolean(),
})
export type Orders = z.infer<typeof Orders>

/** What was there when the application had started. */
export const Found = z.object({
  store: z.string(),
  /** What SQLite says of the whole file. */
  integrity: z.string(),
  /** The newest note, and the newest port, by the life that wrote it. */
  notes: z.record(z.string(), z.string()),
  port: z.number().nullable(),
  creations: z.array(Creation),
  statements: z.int(),
})
export type Found = z.infer<typeof Found>

/** What a life says: how it began, and what was confirmed to the person. */
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
