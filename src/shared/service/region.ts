import { z } from 'zod'

/** A region, as GET /regions of service-extensions.md lists it. */
export const Region = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  description: z.string().nullish(),
})
export type Region = z.infer<typeof Region>

/** A kind of volume, as GET /volume-types of service-extensions.md lists it. */
export const VolumeType = z.looseObject({ id: z.string().min(1), name: z.string() })
export type VolumeType = z.infer<typeof VolumeType>
