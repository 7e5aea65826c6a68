import { fixedId } from '../random'
import {
  accelerators,
  bareMetalModels,
  imageTemplates,
  machineDisk,
  regions,
  type CatalogRegion,
} from './catalog-data'

export { regions, type CatalogRegion } from './catalog-data'

// Flavors, images and volume types of the sandbox. Fees are millionths of a dollar per minute.

export interface CatalogFlavor {
  readonly id: string
  readonly name: string
  readonly region: CatalogRegion
  readonly perMinute: number
  readonly cpu: number
  readonly ram: number
  readonly disk: number
  /** Null for bare metal. */
  readonly ephemeral: number | null
  readonly gpu: string
  /** GPU name in the list of flavors, which is short for one GPU. */
  readonly listedGpu: string
  readonly gpuCount: number
  readonly bandwidth: string
  readonly inStock: boolean
}

export interface CatalogImage {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly description: string
  readonly username: string
  readonly region: CatalogRegion
}

export interface CatalogVolumeType {
  readonly id: string
  readonly name: string
  readonly region: CatalogRegion
}

export const flavors: readonly CatalogFlavor[] = regions
  .filter((region) => region.machines)
  .flatMap((region) =>
    accelerators.flatMap((model) => {
      const inStock = model.stock[region.id]
      if (inStock === undefined) return []
      return model.counts.map((count) => ({
        id: fixedId(`flavor/${region.id}/${model.slug}/${count}`),
        name: `${model.slug}.${count}x`,
        region,
        perMinute: model.perMinute * count,
        cpu: model.cpu * count,
        ram: model.ram * count,
        disk: machineDisk,
        ephemeral: model.ephemeral * count,
        gpu: model.gpu,
        listedGpu: count === 1 ? (model.shortGpu ?? model.gpu) : model.gpu,
        gpuCount: count,
        bandwidth: '',
        inStock,
      }))
    }),
  )

export const bareMetalFlavors: readonly CatalogFlavor[] = regions
  .filter((region) => region.bareMetal)
  .flatMap((region) =>
    bareMetalModels.map((model) => ({
      id: fixedId(`bare-metal-flavor/${region.id}/${model.slug}`),
      name: `${model.slug}.8x`,
      region,
      perMinute: model.perMinute,
      cpu: model.cpu,
      ram: model.ram,
      disk: model.disk,
      ephemeral: null,
      gpu: model.gpu,
      listedGpu: model.gpu,
      gpuCount: 8,
      bandwidth: '100 Gbps',
      inStock: model.stock,
    })),
  )

const imagesIn = (
  purpose: string,
  offered: (region: CatalogRegion) => boolean,
  count: number,
): CatalogImage[] =>
  regions.filter(offered).flatMap((region) =>
    imageTemplates.slice(0, count).map((model) => ({
      id: fixedId(`${purpose}/${region.id}/${model.name}`),
      ...model,
      region,
    })),
  )

export const images: readonly CatalogImage[] = imagesIn('image', (region) => region.machines, 5)
export const bareMetalImages: readonly CatalogImage[] = imagesIn(
  'bare-metal-image',
  (region) => region.bareMetal,
  2,
)

export const volumeTypes: readonly CatalogVolumeType[] = regions
  .filter((region) => region.machines)
  .map((region) => ({ id: fixedId(`volume-type/${region.id}`), name: 'Cloud-SSD', region }))

const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]))

export const regionById = byId(regions)
export const flavorById = byId(flavors)
export const imageById = byId(images)
export const bareMetalFlavorById = byId(bareMetalFlavors)
export const bareMetalImageById = byId(bareMetalImages)
export const volumeTypeById = byId(volumeTypes)

/** Returns the item that a record refers to. Throws an internal error if there is none. */
export const requireById = <T>(items: ReadonlyMap<string, T>, id: string): T => {
  const item = items.get(id)
  if (item === undefined) throw new Error(`the catalog has no ${id}`)
  return item
}
