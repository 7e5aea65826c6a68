import { z } from 'zod'
import { OptionalText, withName } from './optional'

/** A region of GET /regions (service-extensions.md). */
const RegionFields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  description: OptionalText,
})
export const Region = RegionFields.transform(withName)
export type Region = z.infer<typeof Region>

/** A volume type of GET /volume-types (service-extensions.md). */
export const VolumeType = z.looseObject({ id: z.string().min(1), name: OptionalText }).transform(withName)
export type VolumeType = z.infer<typeof VolumeType>
