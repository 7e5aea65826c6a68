import { z } from 'zod'
import { Region } from '#shared/service/region'
import type { ServiceHttp } from './http'

/** Regions (service-extensions.md). Fails with not-offered-by-service where the deployment lacks them. */
export const regions = (http: ServiceHttp) => ({
  list: (signal?: AbortSignal) => http.get('/regions', z.array(Region), { signal, capability: 'regions' }),
})
