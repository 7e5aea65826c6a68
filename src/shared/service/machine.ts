import { z } from 'zod'
import { optional, OptionalNumber, OptionalText, withName } from './optional'
import { NewSshKey, SshKey } from './ssh-key'
import { OptionalTime } from './time'

/** Hardware summary of a machine. `ram` and `disk` are GB. */
export const MachineFlavor = z.looseObject({
  name: OptionalText,
  cpu: OptionalNumber,
  ram: OptionalNumber,
  disk: OptionalNumber,
  gpu: OptionalText,
  gpu_count: OptionalNumber,
})

const Named = optional(z.looseObject({ name: OptionalText }))

/**
 * A virtual machine (api-spec.md §2). Holds `login.password`, so it never crosses the bridge: the window uses
 * MachineView. During creation everything but the id may be missing. `started_time` is epoch seconds. Unknown fields
 * are kept.
 */
const Fields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  status: OptionalText,
  login: optional(
    z.looseObject({
      _id: OptionalText,
      ssh_key: optional(SshKey),
      username: OptionalText,
      password: OptionalText,
    }),
  ),
  fixed_ip: OptionalText,
  started_time: OptionalTime,
  flavor: optional(MachineFlavor),
  image: Named,
  region: Named,
})
export const Machine = Fields.transform(withName)
export type Machine = z.infer<typeof Machine>

/** Body of POST /virtual-machines (api-spec.md §4). `create_bootable_volume` is the text "true" or "false". */
export const NewMachine = z.object({
  name: z.string().min(1),
  image_id: z.string().min(1).optional(),
  flavor_id: z.string().min(1),
  ssh_key: NewSshKey,
  create_bootable_volume: z.enum(['true', 'false']).optional(),
  /** Generated `name` of an existing bootable volume; then no image is sent. */
  volume_name: z.string().min(1).optional(),
  init_script: z.string().optional(),
})
export type NewMachine = z.infer<typeof NewMachine>

export const CreatedMachine = z.looseObject({ id: z.string().min(1), name: OptionalText }).transform(withName)
export type CreatedMachine = z.infer<typeof CreatedMachine>
