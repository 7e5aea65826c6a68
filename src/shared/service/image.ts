import { z } from 'zod'

/** An operating system image, for virtual machines or bare metal (api-spec.md §2). */
export const Image = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  type: z.string().nullish(),
  description: z.string().nullish(),
  region_name: z.string().nullish(),
  region_id: z.string().nullish(),
})
export type Image = z.infer<typeof Image>
