import { z } from 'zod'
import { limits } from '#shared/service/limits'
import * as shared from '#shared/service/volume'
import { volumeTypes } from '../../cloud/catalog'
import { Count, exampleId, exampleTime, Id, nameOf, oneOf, Timestamp } from './common'

const volumeType = volumeTypes[0]

export const NewVolume = shared.NewVolume.extend({
  display_name: nameOf(limits.volumeDisplayName),
  image_id: z.string().min(1).optional().meta({ description: 'makes the volume bootable' }),
  payment_currency: z.literal('USD').optional().meta({ description: 'USD when absent' }),
}).meta({
  id: 'NewVolume',
  examples: [
    { display_name: 'checkpoints', region_id: volumeType?.region.id, type_id: volumeType?.id, size: 500 },
  ],
})

export const VolumeAttachment = z
  .object({
    volume_ids: z
      .array(z.string().min(1))
      .min(1)
      .refine((ids) => new Set(ids).size === ids.length, 'must not contain a volume twice')
      .meta({ uniqueItems: true }),
  })
  .meta({ id: 'VolumeAttachment', examples: [{ volume_ids: [exampleId] }] })

const status = oneOf('creating', 'available', 'attaching', 'in-use', 'detaching')
const fields = {
  id: Id,
  name: z.string().meta({ description: 'generated' }),
  display_name: z.string(),
  size_gb: Count,
  status,
  description: z.string(),
}
const example = {
  id: exampleId,
  name: 'vol-64f0c2a91b7d',
  display_name: 'checkpoints',
  size_gb: 500,
  status: 'available',
  description: '',
}

export const Volume = z
  .strictObject({ ...fields, bootable: z.boolean(), region: z.string(), created_time: Timestamp })
  .meta({
    id: 'Volume',
    examples: [{ ...example, bootable: false, region: 'Oslo', created_time: exampleTime }],
  })

export const CreatedVolume = z.strictObject({ ...fields, payment_currency: z.string() }).meta({
  id: 'CreatedVolume',
  examples: [{ ...example, status: 'creating', payment_currency: 'USD' }],
})

export const DetachedVolume = z.strictObject({ _id: Id, volume_id: Id, status }).meta({
  id: 'DetachedVolume',
  examples: [{ _id: exampleId, volume_id: exampleId, status: 'detaching' }],
})
