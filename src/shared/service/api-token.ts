import { z } from 'zod'
import { OptionalText, withName } from './optional'
import { limits } from './limits'
import { OptionalTime } from './time'

/** An API token (api-spec.md §2). `token` is a secret. `last_used` 0 means never; times are epoch seconds. */
const ApiTokenFields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  description: OptionalText,
  token: OptionalText,
  created_at: OptionalTime,
  last_used: OptionalTime,
})
export const ApiToken = ApiTokenFields.transform(withName)
export type ApiToken = z.infer<typeof ApiToken>

/**
 * Schema of the answer to a token's creation. Malformed fields fall back to the sent values, because the answer may
 * be the only one with the token's value.
 */
export const createdApiToken = (sent: NewApiToken): z.ZodType<ApiToken> =>
  ApiTokenFields.transform((fields) =>
    withName({
      ...fields,
      name: fields.name ?? sent.name,
      description: fields.description ?? sent.description,
    }),
  )

/** Body of PUT /api-tokens/{id}. */
export const ApiTokenChange = z.object({
  name: z.string().min(1).max(limits.apiTokenName),
  description: z.string().optional(),
})
export type ApiTokenChange = z.infer<typeof ApiTokenChange>

/** Body of POST /api-tokens (service-extensions.md). */
export const NewApiToken = ApiTokenChange
export type NewApiToken = z.infer<typeof NewApiToken>
