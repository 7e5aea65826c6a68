import { z } from 'zod'
import { VolumeType } from '#shared/service/region'
import type { ServiceHttp } from './http'

/** Kinds of volumes (service-extensions.md). Fails with not-offered-by-service where the deployment lacks them. */
export const volumeTypes = (http: ServiceHttp) => ({
  list: (regionId?: string, signal?: AbortSignal) =>
    http.get('/volume-types', z.array(VolumeType), {
      query: { region_id: regionId },
      signal,
      capability: 'volume-types',
    }),
})
