import { Region } from '#shared/service/region'
import type { ServiceHttp } from './http'
import { type OnUnreadable, wholeList } from './read-records'

/** Regions (service-extensions.md). Fails with not-offered-by-service. */
export const regions = (http: ServiceHttp) => ({
  list: (signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    wholeList(http.list('/regions', Region, { signal, capability: 'regions' }), onUnreadable),
})
