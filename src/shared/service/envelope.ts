import { z } from 'zod'

/** Envelope of every answer (api-spec.md §1). Malformed metadata does not prevent reading `data`. */
export const Envelope = z.looseObject({
  status: z.boolean(),
  message: z.string().nullish().catch(undefined),
  data: z.unknown().optional(),
  total: z.number().int().nonnegative().nullish().catch(undefined),
})
export type Envelope = z.infer<typeof Envelope>
