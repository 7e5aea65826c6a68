import { z } from 'zod'
import { OptionalFlag, OptionalNumber, OptionalText } from './optional'
import { limits } from './limits'
import { OptionalTime } from './time'

/** A volume (api-spec.md §2; service-extensions.md). `size_gb` is GB, `created_time` epoch seconds. */
export const Volume = z.looseObject({
  id: z.string().min(1),
  display_name: OptionalText,
  name: OptionalText,
  size_gb: OptionalNumber,
  status: OptionalText,
  description: OptionalText,
  payment_currency: OptionalText,
  bootable: OptionalFlag,
  region: OptionalText,
  created_time: OptionalTime,
})
export type Volume = z.infer<typeof Volume>

/** Body of POST /volumes (api-spec.md §4). `size` is GB. */
export const NewVolume = z.object({
  display_name: z.string().min(1).max(limits.volumeDisplayName),
  region_id: z.string().min(1),
  type_id: z.string().min(1),
  size: z.number().int().min(limits.volumeSize.min).max(limits.volumeSize.max),
  image_id: z.string().min(1).optional(),
  description: z.string().optional(),
  payment_currency: z.string().min(1).optional(),
})
export type NewVolume = z.infer<typeof NewVolume>

/** Body of POST /virtual-machines/{id}/volumes. */
export const VolumeAttachment = z.object({ volume_ids: z.array(z.string().min(1)).min(1) })
export type VolumeAttachment = z.infer<typeof VolumeAttachment>

/** Answer to a detachment: documented as a list, shown as one record. */
export const DetachedVolume = z.looseObject({
  _id: OptionalText,
  volume_id: OptionalText,
  status: OptionalText,
})
export type DetachedVolume = z.infer<typeof DetachedVolume>
