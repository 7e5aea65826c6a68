import { fixedId } from '../random'
import {
  accelerators,
  bareMetalKinds,
  imageKinds,
  machineDisk,
  regions,
  type CatalogRegion,
} from './catalog-data'

export { regions, type CatalogRegion } from './catalog-data'

// The sandbox's flavors, images and volume types: the same in every world. Fees are millionths of a dollar per minute.

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
    accelerators.flatMap((kind) => {
      const inStock = kind.stock[region.id]
      if (inStock === undefined) return []
      return kind.counts.map((count) => ({
        id: fixedId(`flavor/${region.id}/${kind.slug}/${count}`),
        name: `${kind.slug}.${count}x`,
        region,
        perMinute: kind.perMinute * count,
        cpu: kind.cpu * count,
        ram: kind.ram * count,
        disk: machineDisk,
        ephemeral: kind.ephemeral * count,
        gpu: kind.gpu,
        gpuCount: count,
        bandwidth: '',
        inStock,
      }))
    }),
  )

export const bareMetalFlavors: readonly CatalogFlavor[] = regions
  .filter((region) => region.bareMetal)
  .flatMap((region) =>
    bareMetalKinds.map((kind) => ({
      id: fixedId(`bare-metal-flavor/${region.id}/${kind.slug}`),
      name: `${kind.slug}.8x`,
      region,
      perMinute: kind.perMinute,
      cpu: kind.cpu,
      ram: kind.ram,
      disk: kind.disk,
      ephemeral: null,
      gpu: kind.gpu,
      gpuCount: 8,
      bandwidth: '100 Gbps',
      inStock: kind.stock,
    })),
  )

const imagesIn = (
  purpose: string,
  offered: (region: CatalogRegion) => boolean,
  count: number,
): CatalogImage[] =>
  regions.filter(offered).flatMap((region) =>
    imageKinds.slice(0, count).map((kind) => ({
      id: fixedId(`${purpose}/${region.id}/${kind.name}`),
      ...kind,
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

/** For records of the world, whose references to the catalog always lead somewhere. */
export const mustFind = <T>(items: ReadonlyMap<string, T>, id: string): T => {
  const item = items.get(id)
  if (item === undefined) throw new Error(`the catalog has no ${id}`)
  return item
}
