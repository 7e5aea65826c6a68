import { z } from 'zod'
import { FlavorGroup } from '#shared/service/flavor'
import type { ServiceHttp } from './http'

/** Hardware configurations of virtual machines, grouped by region (api-spec.md §4). */
export const flavors = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal) =>
    http.get('/flavors', z.array(FlavorGroup), { query: { region_id: regionId }, signal }),
})
