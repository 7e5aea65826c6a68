import { z } from 'zod'
import { optional, OptionalText, withName } from './optional'
import { MachineFlavor } from './machine'
import { NewSshKey, SshKey } from './ssh-key'
import { OptionalTime } from './time'

const Named = optional(z.looseObject({ name: OptionalText }))

/** A bare metal instance (api-spec.md §2). User name and password are not reported. `started_time` is epoch seconds. */
const Fields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  status: OptionalText,
  login: optional(z.looseObject({ _id: OptionalText, ssh_key: optional(SshKey) })),
  fixed_ip: OptionalText,
  started_time: OptionalTime,
  flavor: optional(MachineFlavor),
  image: Named,
  region: Named,
})
export const BareMetalInstance = Fields.transform(withName)
export type BareMetalInstance = z.infer<typeof BareMetalInstance>

/** Body of POST /bare-metal/instances (api-spec.md §4). */
export const NewBareMetalInstance = z.object({
  name: z.string().min(1),
  image_id: z.string().min(1),
  flavor_id: z.string().min(1),
  ssh_key: NewSshKey,
})
export type NewBareMetalInstance = z.infer<typeof NewBareMetalInstance>
