import { z } from 'zod'
import { OptionalText, withName } from './optional'

/** A region, as GET /regions of service-extensions.md lists it. */
const RegionFields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  description: OptionalText,
})
export const Region = RegionFields.transform(withName)
export type Region = z.infer<typeof Region>

/** A kind of volume, as GET /volume-types of service-extensions.md lists it. */
export const VolumeType = z.looseObject({ id: z.string().min(1), name: OptionalText }).transform(withName)
export type VolumeType = z.infer<typeof VolumeType>
