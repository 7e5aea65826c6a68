import { Image } from '#shared/service/image'
import type { ServiceHttp } from './http'
import { type OnUnreadable, wholeList } from './read-records'

/** Operating system images for virtual machines (api-spec.md §4). */
export const images = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    wholeList(http.list('/images', Image, { query: { region_id: regionId }, signal }), onUnreadable),
})
