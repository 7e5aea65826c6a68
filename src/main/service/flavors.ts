import { z } from 'zod'
import { Flavor, FlavorGroup } from '#shared/service/flavor'
import type { UnreadableRecord } from '#shared/service/page'
import type { ServiceHttp } from './http'
import { type OnUnreadable, readRecords } from './read-records'

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
