import { z } from 'zod'

/**
 * A hardware configuration (api-spec.md §2). `price` is per hour, in the account's currency; `disk`, `ephemeral`
 * and `ram` are GB. `ephemeral` exists for virtual machines only.
 */
export const Flavor = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  region_name: z.string().nullish(),
  region_id: z.string().nullish(),
  price: z.number().nullish(),
  cpu: z.number().nullish(),
  disk: z.number().nullish(),
  ephemeral: z.number().nullish(),
  ram: z.number().nullish(),
  gpu: z.string().nullish(),
  gpu_count: z.number().nullish(),
  bandwidth: z.string().nullish(),
  stock_available: z.boolean().nullish(),
  cycle: z.string().nullish(),
})
export type Flavor = z.infer<typeof Flavor>

/** The flavors of one region, as GET /flavors and GET /bare-metal/flavors list them. */
export const FlavorGroup = z.looseObject({
  region: z.string().nullish(),
  region_id: z.string().nullish(),
  products: z.array(Flavor),
})
export type FlavorGroup = z.infer<typeof FlavorGroup>

/** A GPU's model in one way of writing: one list of a service has `RTX_PRO_6000`, the other `RTX PRO 6000 96GB`. */
export const gpuName = (gpu: string | null | undefined): string | null =>
  gpu?.replace(/[\s_]+/g, ' ').trim() || null
