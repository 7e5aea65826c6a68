import { z } from 'zod'
import { Count, exampleId, Id } from './common'

const regionFields = { region_name: z.string(), region_id: z.string() }
const region = { region_name: 'Oslo', region_id: 'eu-north-1' }

export const Region = z
  .strictObject({ id: z.string(), name: z.string(), description: z.string() })
  .meta({ id: 'Region', examples: [{ id: 'eu-north-1', name: 'Oslo', description: 'Norway, hydropower' }] })

export const VolumeType = z
  .strictObject({ id: Id, name: z.string(), ...regionFields })
  .meta({ id: 'VolumeType', examples: [{ id: exampleId, name: 'Cloud-SSD', ...region }] })

export const Image = z
  .strictObject({
    id: Id,
    name: z.string(),
    type: z.string().meta({ description: 'operating system' }),
    description: z.string(),
    ...regionFields,
  })
  .meta({
    id: 'Image',
    examples: [
      {
        id: exampleId,
        name: 'Debian 12',
        type: 'Debian',
        description: 'NVIDIA driver 550',
        ...region,
      },
    ],
  })

const exampleFlavor = {
  id: exampleId,
  name: 'h100-80g.1x',
  ...region,
  price: 2.49,
  cpu: 24,
  disk: 100,
  ephemeral: 750,
  ram: 192,
  gpu: 'H100',
  gpu_count: 1,
  bandwidth: '',
  stock_available: true,
  cycle: 'hourly',
}

const Flavor = z
  .strictObject({
    id: Id,
    name: z.string(),
    ...regionFields,
    price: z.number().min(0).meta({ description: 'USD per hour, for the whole machine' }),
    cpu: Count.meta({ description: 'cores' }),
    disk: Count.meta({ description: 'GB' }),
    ephemeral: Count.optional().meta({ description: 'GB; virtual machines only' }),
    ram: Count.meta({ description: 'GB' }),
    gpu: z.string().meta({ description: 'model; some flavors use the short form, such as H100' }),
    gpu_count: Count,
    bandwidth: z.string(),
    stock_available: z.boolean(),
    cycle: z.literal('hourly'),
  })
  .meta({ id: 'Flavor', examples: [exampleFlavor] })

export const FlavorGroup = z
  .strictObject({ region: z.string(), region_id: z.string(), products: z.array(Flavor) })
  .meta({
    id: 'FlavorGroup',
    examples: [{ region: region.region_name, region_id: region.region_id, products: [exampleFlavor] }],
  })
