import { z } from 'zod'
import { OptionalFlag, OptionalNumber, OptionalText, withName } from './optional'

/**
 * A hardware configuration (api-spec.md §2). `price` is per hour, in the account's currency; `disk`, `ephemeral` and
 * `ram` are GB. `ephemeral` exists for virtual machines only.
 */
const FlavorFields = z.looseObject({
  id: z.string().min(1),
  name: OptionalText,
  region_name: OptionalText,
  region_id: OptionalText,
  price: OptionalNumber,
  cpu: OptionalNumber,
  disk: OptionalNumber,
  ephemeral: OptionalNumber,
  ram: OptionalNumber,
  gpu: OptionalText,
  gpu_count: OptionalNumber,
  bandwidth: OptionalText,
  stock_available: OptionalFlag,
  cycle: OptionalText,
})
export const Flavor = FlavorFields.transform(withName)
export type Flavor = z.infer<typeof Flavor>

export const FlavorGroup = z.looseObject({
  region: OptionalText,
  region_id: OptionalText,
  products: z.array(Flavor),
})
export type FlavorGroup = z.infer<typeof FlavorGroup>

/** Normalises separators of a GPU name: one list has `RTX_PRO_6000`, another `RTX PRO 6000 96GB`. */
export const gpuName = (gpu: string | null | undefined): string | null =>
  gpu?.replace(/[\s_]+/g, ' ').trim() || null
