import { z } from 'zod'
import { BareMetalInstance, type NewBareMetalInstance } from '#shared/service/bare-metal'
import { FlavorGroup } from '#shared/service/flavor'
import { Image } from '#shared/service/image'
import { CreatedMachine } from '#shared/service/machine'
import type { ServiceHttp } from './http'
import { seg } from './segment'

/** Bare metal instances and their own catalogue (api-spec.md §4). The specification lists no instances. */
export const bareMetal = (http: ServiceHttp) => ({
  get: (id: string, signal?: AbortSignal) =>
    http.get(`/bare-metal/instances/${seg(id)}`, BareMetalInstance, { signal }),
  create: (instance: NewBareMetalInstance) =>
    http.send('POST', '/bare-metal/instances', instance, CreatedMachine),
  images: (regionId?: string, signal?: AbortSignal) =>
    http.get('/bare-metal/images', z.array(Image), { query: { region_id: regionId }, signal }),
  flavors: (regionId?: string, signal?: AbortSignal) =>
    http.get('/bare-metal/flavors', z.array(FlavorGroup), { query: { region_id: regionId }, signal }),
})
