import { z } from 'zod'
import { MachineFlavor } from './machine'
import { NewSshKey, SshKey } from './ssh-key'
import { OptionalTime } from './time'

const Named = z.looseObject({ name: z.string().nullish() })

/** A bare metal instance (api-spec.md §2). No user name and no password are reported. `started_time` is epoch seconds. */
export const BareMetalInstance = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  status: z.string().nullish(),
  login: z.looseObject({ _id: z.string().nullish(), ssh_key: SshKey.nullish() }).nullish(),
  fixed_ip: z.string().nullish(),
  started_time: OptionalTime,
  flavor: MachineFlavor.nullish(),
  image: Named.nullish(),
  region: Named.nullish(),
})
export type BareMetalInstance = z.infer<typeof BareMetalInstance>

/** Body of POST /bare-metal/instances (api-spec.md §4). */
export const NewBareMetalInstance = z.object({
  name: z.string().min(1),
  image_id: z.string().min(1),
  flavor_id: z.string().min(1),
  ssh_key: NewSshKey,
})
export type NewBareMetalInstance = z.infer<typeof NewBareMetalInstance>
