import { z } from 'zod'
import { Image } from '#shared/service/image'
import type { ServiceHttp } from './http'

/** Operating system images for virtual machines (api-spec.md §4). */
export const images = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal) =>
    http.get('/images', z.array(Image), { query: { region_id: regionId }, signal }),
})
