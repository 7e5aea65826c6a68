import { z } from 'zod'
import { OptionalText } from './optional'

/** The key that a new machine admits: a name and the public key's text (api-spec.md §4). */
export const NewSshKey = z.object({
  name: z.string().min(1),
  public_key: z.string().min(1),
})
export type NewSshKey = z.infer<typeof NewSshKey>

/** A key as machines report it. */
export const SshKey = z.looseObject({ id: OptionalText, name: OptionalText })
