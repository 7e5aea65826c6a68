import { z } from 'zod'
import { notFound } from '../../api-error'
import * as catalog from '../../cloud/catalog'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { RegionParameters } from '../list-parameters'
import { FlavorGroup, Image, Region, VolumeType } from '../schemas/catalog'

interface InRegion {
  readonly region: catalog.CatalogRegion
}

const inRegion = <Item extends InRegion>(items: readonly Item[], id: string | undefined): readonly Item[] => {
  if (id === undefined) return items
  if (!catalog.regionById.has(id)) throw notFound('region_id', 'region')
  return items.filter((item) => item.region.id === id)
}

const regionNames = ({ region }: InRegion) => ({ region_name: region.name, region_id: region.id })

const imageView = (image: catalog.CatalogImage) => ({
  id: image.id,
  name: image.name,
  type: image.type,
  description: image.description,
  ...regionNames(image),
})

const productView = (cloud: Cloud, flavor: catalog.CatalogFlavor) => ({
  id: flavor.id,
  name: flavor.name,
  ...regionNames(flavor),
  price: (flavor.perMinute * 60) / 1_000_000,
  cpu: flavor.cpu,
  disk: flavor.disk,
  ...(flavor.ephemeral === null ? {} : { ephemeral: flavor.ephemeral }),
  ram: flavor.ram,
  gpu: flavor.listedGpu,
  gpu_count: flavor.gpuCount,
  bandwidth: flavor.bandwidth,
  stock_available: cloud.isInStock(flavor),
  cycle: 'hourly' as const,
})

const groups = (cloud: Cloud, flavors: readonly catalog.CatalogFlavor[]) =>
  catalog.regions
    .map((region) => ({
      region: region.name,
      region_id: region.id,
      products: flavors
        .filter((flavor) => flavor.region === region)
        .map((flavor) => productView(cloud, flavor)),
    }))
    .filter((group) => group.products.length > 0)

const images = (path: string, tag: string, items: readonly catalog.CatalogImage[]): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path,
      tag,
      summary: 'List images',
      query: RegionParameters,
      body: noBody,
      data: z.array(Image),
      errors: ['not-found'],
    },
    ({ query }) => ({ message: 'Images', data: inRegion(items, query.region_id).map(imageView) }),
  )

const flavors = (
  cloud: Cloud,
  path: string,
  tag: string,
  items: readonly catalog.CatalogFlavor[],
): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path,
      tag,
      summary: 'List flavors by region',
      description: 'The price is per hour and for the whole machine.',
      query: RegionParameters,
      body: noBody,
      data: z.array(FlavorGroup),
      errors: ['not-found'],
    },
    ({ query }) => ({ message: 'Flavors', data: groups(cloud, inRegion(items, query.region_id)) }),
  )

export const catalogEndpoints = (cloud: Cloud): Endpoint[] => [
  images('/images', 'Catalog', catalog.images),
  flavors(cloud, '/flavors', 'Catalog', catalog.flavors),
  images('/bare-metal/images', 'Bare metal', catalog.bareMetalImages),
  flavors(cloud, '/bare-metal/flavors', 'Bare metal', catalog.bareMetalFlavors),
  endpoint(
    {
      method: 'GET',
      path: '/regions',
      tag: 'Catalog',
      extension: true,
      summary: 'List regions',
      description: 'Beyond the specification.',
      query: noQuery,
      body: noBody,
      data: z.array(Region),
    },
    () => ({
      message: 'Regions',
      data: catalog.regions.map(({ id, name, description }) => ({ id, name, description })),
    }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/volume-types',
      tag: 'Catalog',
      extension: true,
      summary: 'List volume types',
      description: 'Beyond the specification.',
      query: RegionParameters,
      body: noBody,
      data: z.array(VolumeType),
      errors: ['not-found'],
    },
    ({ query }) => ({
      message: 'Volume types',
      data: inRegion(catalog.volumeTypes, query.region_id).map((type) => ({
        id: type.id,
        name: type.name,
        ...regionNames(type),
      })),
    }),
  ),
]
