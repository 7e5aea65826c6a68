import { VolumeType } from '#shared/service/region'
import type { ServiceHttp } from './http'
import { type OnUnreadable, wholeList } from './read-records'

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
