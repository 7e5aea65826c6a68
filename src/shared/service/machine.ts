import { z } from 'zod'
import { NewSshKey, SshKey } from './ssh-key'
import { OptionalTime } from './time'

/** The hardware summary inside a machine. `ram` and `disk` are GB. */
export const MachineFlavor = z.looseObject({
  name: z.string().nullish(),
  cpu: z.number().nullish(),
  ram: z.number().nullish(),
  disk: z.number().nullish(),
  gpu: z.string().nullish(),
  gpu_count: z.number().nullish(),
})

const Named = z.looseObject({ name: z.string().nullish() })

/**
 * A virtual machine as the service reports it (api-spec.md §2). Holds `login.password`, so it never crosses the
 * bridge: the window sees MachineView. Everything but the identity may be missing while a machine is being created.
 * `started_time` is epoch seconds. Fields beyond these are kept.
 */
export const Machine = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  status: z.string().nullish(),
  login: z
    .looseObject({
      _id: z.string().nullish(),
      ssh_key: SshKey.nullish(),
      username: z.string().nullish(),
      password: z.string().nullish(),
    })
    .nullish(),
  fixed_ip: z.string().nullish(),
  started_time: OptionalTime,
  flavor: MachineFlavor.nullish(),
  image: Named.nullish(),
  region: Named.nullish(),
})
export type Machine = z.infer<typeof Machine>

/** Body of POST /virtual-machines (api-spec.md §4). `create_bootable_volume` is the word "true" or "false". */
export const NewMachine = z.object({
  name: z.string().min(1),
  image_id: z.string().min(1).optional(),
  flavor_id: z.string().min(1),
  ssh_key: NewSshKey,
  create_bootable_volume: z.enum(['true', 'false']).optional(),
  /** The generated `name` of an existing bootable volume; then no image is sent. */
  volume_name: z.string().min(1).optional(),
  init_script: z.string().optional(),
})
export type NewMachine = z.infer<typeof NewMachine>

/** What a creation answers, for virtual machines and bare metal alike. */
export const CreatedMachine = z.looseObject({ id: z.string().min(1), name: z.string() })
export type CreatedMachine = z.infer<typeof CreatedMachine>
