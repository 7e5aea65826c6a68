import { z } from 'zod'

/** What every answer of the service is wrapped in (api-spec.md §1). `data` is checked by the resource's own schema. */
export const Envelope = z.looseObject({
  status: z.boolean(),
  message: z.string().nullish(),
  data: z.unknown().optional(),
  /** Records in the whole list, on paginated answers. */
  total: z.number().int().nonnegative().nullish(),
})
export type Envelope = z.infer<typeof Envelope>
