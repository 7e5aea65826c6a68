import { z } from 'zod'

/**
 * What every answer of the service is wrapped in (api-spec.md §1). `data` is checked by the resource's own schema. What
 * only describes it never stops it from being read.
 */
export const Envelope = z.looseObject({
  status: z.boolean(),
  message: z.string().nullish().catch(undefined),
  data: z.unknown().optional(),
  /** Records in the whole list, on paginated answers. */
  total: z.number().int().nonnegative().nullish().catch(undefined),
})
export type Envelope = z.infer<typeof Envelope>
