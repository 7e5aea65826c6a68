import { z } from 'zod'
import { OptionalText } from './optional'

/** SSH key of a new machine: its name and public key (api-spec.md §4). */
export const NewSshKey = z.object({
  name: z.string().min(1),
  public_key: z.string().min(1),
})
export type NewSshKey = z.infer<typeof NewSshKey>

export const SshKey = z.looseObject({ id: OptionalText, name: OptionalText })
