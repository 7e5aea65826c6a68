import { z } from 'zod'
import { limits } from './limits'
import { OptionalTime } from './time'

/** An API token (api-spec.md §2). `token` is a secret. `last_used` 0 means never; times are epoch seconds. */
export const ApiToken = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  description: z.string().nullish(),
  token: z.string().nullish(),
  created_at: OptionalTime,
  last_used: OptionalTime,
})
export type ApiToken = z.infer<typeof ApiToken>

/** Body of PUT /api-tokens/{id}. */
export const ApiTokenChange = z.object({
  name: z.string().min(1).max(limits.apiTokenName),
  description: z.string().optional(),
})
export type ApiTokenChange = z.infer<typeof ApiTokenChange>

/** Body of POST /api-tokens (service-extensions.md). */
export const NewApiToken = ApiTokenChange
export type NewApiToken = z.infer<typeof NewApiToken>
