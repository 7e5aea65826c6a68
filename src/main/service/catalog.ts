import { z } from 'zod'
import { Flavor, FlavorGroup } from '#shared/service/flavor'
import { Image } from '#shared/service/image'
import type { UnreadableRecord } from '#shared/service/page'
import { Region, VolumeType } from '#shared/service/region'
import type { ServiceHttp } from './http'
import { type OnUnreadable, readRecords, wholeList } from './read-records'

const AnsweredGroup = FlavorGroup.extend({ products: z.array(z.unknown()) })

/** Reads a list of flavor groups and validates each product separately. */
export async function flavorGroups(
  http: ServiceHttp,
  path: string,
  regionId: string | undefined,
  signal: AbortSignal | undefined,
  onUnreadable: OnUnreadable | undefined,
): Promise<FlavorGroup[]> {
  const { items, unreadable = [] } = await http.list(path, AnsweredGroup, {
    query: { region_id: regionId },
    signal,
  })
  const lost: UnreadableRecord[] = [...unreadable]
  const groups = items.map((group) => {
    const products = readRecords(group.products, Flavor)
    lost.push(...(products.unreadable ?? []))
    return { ...group, products: [...products.items] }
  })
  onUnreadable?.(lost)
  return groups
}

/** Hardware configurations of virtual machines, by region (api-spec.md §4). */
export const flavors = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    flavorGroups(http, '/flavors', regionId, signal, onUnreadable),
})

/** Operating system images for virtual machines (api-spec.md §4). */
export const images = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    wholeList(http.list('/images', Image, { query: { region_id: regionId }, signal }), onUnreadable),
})

/** Regions (service-extensions.md). Fails with not-offered-by-service. */
export const regions = (http: ServiceHttp) => ({
  list: (signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    wholeList(http.list('/regions', Region, { signal, capability: 'regions' }), onUnreadable),
})

/** Volume types (service-extensions.md). Fails with not-offered-by-service. */
export const volumeTypes = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    wholeList(
      http.list('/volume-types', VolumeType, {
        query: { region_id: regionId },
        signal,
        capability: 'volume-types',
      }),
      onUnreadable,
    ),
})
