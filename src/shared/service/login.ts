import { z } from 'zod'
import { OptionalText } from './optional'

/** Body of POST /authenticate/login. `password` is the MD5 hex digest, never the plain password (api-spec.md §4). */
export const LoginRequest = z.object({
  username: z.string().min(1),
  password: z.string().regex(/^[0-9a-f]{32}$/, 'must be the MD5 hex digest of the password'),
})
export type LoginRequest = z.infer<typeof LoginRequest>

/** Login result (api-spec.md §2). Both tokens are secrets and stay in the main process. */
export const LoginResult = z.looseObject({
  username: z.string(),
  email: OptionalText,
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
})
export type LoginResult = z.infer<typeof LoginResult>
