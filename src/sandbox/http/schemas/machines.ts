import { z } from 'zod'
import * as shared from '#shared/service/machine'
import * as sharedBareMetal from '#shared/service/bare-metal'
import { bareMetalFlavors, bareMetalImages, flavors, images } from '../../cloud/catalog'
import { Count, exampleId, exampleTime, Id, nameOf, oneOf, Timestamp } from './common'
import { NewSshKey } from './ssh-key'

const exampleKey = {
  name: 'laptop',
  public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop',
}

const flavor = flavors.find(({ inStock }) => inStock)
const bareMetalFlavor = bareMetalFlavors.find(({ inStock }) => inStock)
const imageIn = (all: typeof images, region: unknown): string | undefined =>
  all.find((image) => image.region === region)?.id

export const NewMachine = shared.NewMachine.extend({
  name: nameOf(),
  image_id: z.string().min(1).optional().meta({ description: 'required without volume_name' }),
  ssh_key: NewSshKey,
  volume_name: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'the generated name of an existing bootable volume; image_id is omitted then' }),
  create_bootable_volume: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '"true" requires volume_name, "false" forbids it' }),
  init_script: z.string().optional().meta({ description: 'a shell script or cloud-config' }),
}).meta({
  id: 'NewMachine',
  examples: [
    {
      name: 'train-1',
      image_id: imageIn(images, flavor?.region),
      flavor_id: flavor?.id,
      ssh_key: exampleKey,
    },
  ],
})

export const NewBareMetalInstance = sharedBareMetal.NewBareMetalInstance.extend({
  name: nameOf(),
  ssh_key: NewSshKey,
}).meta({
  id: 'NewBareMetalInstance',
  examples: [
    {
      name: 'bench-1',
      image_id: imageIn(bareMetalImages, bareMetalFlavor?.region),
      flavor_id: bareMetalFlavor?.id,
      ssh_key: exampleKey,
    },
  ],
})

export const CreatedInstance = z
  .strictObject({ id: Id, name: z.string() })
  .meta({ id: 'CreatedInstance', examples: [{ id: exampleId, name: 'train-1' }] })

const SshKey = z
  .strictObject({ id: Id, name: z.string() })
  .meta({ id: 'SshKey', examples: [{ id: exampleId, name: 'laptop' }] })

const exampleFlavor = {
  name: 'h100-80g.8x',
  cpu: 192,
  ram: 1_536,
  disk: 100,
  gpu: 'NVIDIA H100 80GB SXM',
  gpu_count: 8,
}
const InstanceFlavor = z
  .strictObject({
    name: z.string(),
    cpu: Count.meta({ description: 'cores' }),
    ram: Count.meta({ description: 'GB' }),
    disk: Count.meta({ description: 'GB' }),
    gpu: z.string().meta({ description: 'model; some flavors use the short form, such as H100' }),
    gpu_count: Count,
  })
  .meta({ id: 'InstanceFlavor', examples: [exampleFlavor] })

const booted = 'absent until the first boot'
const instance = {
  id: Id,
  name: z.string(),
  fixed_ip: z.ipv4().optional().meta({ description: booted }),
  started_time: Timestamp.optional().meta({ description: `last boot, Unix epoch, seconds; ${booted}` }),
  flavor: InstanceFlavor,
  image: z.strictObject({ name: z.string() }),
  region: z.strictObject({ name: z.string() }),
}
const exampleInstance = {
  id: exampleId,
  name: 'train-1',
  fixed_ip: '127.20.1.11',
  started_time: exampleTime,
  flavor: exampleFlavor,
  image: { name: 'Ubuntu 24.04 LTS CUDA 12.8' },
  region: { name: 'Oslo' },
}
const exampleLogin = { _id: exampleId, ssh_key: { id: exampleId, name: 'laptop' } }

export const Machine = z
  .strictObject({
    ...instance,
    status: oneOf('creating', 'running', 'starting', 'stopping', 'stopped', 'rebooting'),
    login: z.strictObject({ _id: Id, ssh_key: SshKey, username: z.string(), password: z.string() }),
    created_time: Timestamp,
    labels: z.strictObject({ team: z.string(), owner: z.string() }),
    console: z.strictObject({ protocol: z.literal('vnc'), password: z.string() }),
  })
  .meta({
    id: 'Machine',
    examples: [
      {
        ...exampleInstance,
        status: 'running',
        login: { ...exampleLogin, username: 'ubuntu', password: '<PASSWORD>' },
        created_time: exampleTime - 90,
        labels: { team: 'nlp', owner: 'anna' },
        console: { protocol: 'vnc', password: '<PASSWORD>' },
      },
    ],
  })

export const BareMetalInstance = z
  .strictObject({ ...instance, login: z.strictObject({ _id: Id, ssh_key: SshKey }) })
  .meta({
    id: 'BareMetalInstance',
    examples: [{ ...exampleInstance, name: 'bench-1', login: exampleLogin }],
  })

const amount = z.number().min(0)
const metric = <Unit extends '%' | 'GB', Fields extends z.ZodRawShape>(unit: Unit, fields: Fields) =>
  z.strictObject({ unit: z.literal(unit), data: z.array(z.strictObject({ time: Timestamp, ...fields })) })

export const Metrics = z
  .strictObject({
    cpu: metric('%', { value: amount.max(100) }),
    memory: metric('%', { value: amount.max(100) }),
    disk: metric('GB', { read: amount, write: amount }),
    network: metric('GB', { in: amount, out: amount }),
  })
  .meta({
    id: 'Metrics',
    examples: [
      {
        cpu: { unit: '%', data: [{ time: exampleTime, value: 87.5 }] },
        memory: { unit: '%', data: [{ time: exampleTime, value: 61.2 }] },
        disk: { unit: 'GB', data: [{ time: exampleTime, read: 1.2, write: 0.4 }] },
        network: { unit: 'GB', data: [{ time: exampleTime, in: 0.2, out: 0.1 }] },
      },
    ],
  })
