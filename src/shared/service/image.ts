import { z } from 'zod'
import { OptionalText, withName } from './optional'

/** An operating system image, for virtual machines or bare metal (api-spec.md §2). */
const ImageFields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  type: OptionalText,
  description: OptionalText,
  region_name: OptionalText,
  region_id: OptionalText,
})
export const Image = ImageFields.transform(withName)
export type Image = z.infer<typeof Image>
