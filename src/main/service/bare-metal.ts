import { BareMetalInstance, type NewBareMetalInstance } from '#shared/service/bare-metal'
import { Image } from '#shared/service/image'
import { CreatedMachine } from '#shared/service/machine'
import { flavorGroups } from './catalog'
import type { ServiceHttp } from './http'
import { type OnUnreadable, wholeList } from './read-records'
import { seg } from './path-segment'

/** Bare metal instances and their catalogue (api-spec.md §4). The specification has no list of instances. */
export const bareMetal = (http: ServiceHttp) => ({
  get: (id: string, signal?: AbortSignal) =>
    http.get(`/bare-metal/instances/${seg(id)}`, BareMetalInstance, { signal }),
  create: (instance: NewBareMetalInstance, signal?: AbortSignal) =>
    http.send('POST', '/bare-metal/instances', instance, CreatedMachine, signal),
  images: (regionId?: string, signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    wholeList(
      http.list('/bare-metal/images', Image, { query: { region_id: regionId }, signal }),
      onUnreadable,
    ),
  flavors: (regionId?: string, signal?: AbortSignal, onUnreadable?: OnUnreadable) =>
    flavorGroups(http, '/bare-metal/flavors', regionId, signal, onUnreadable),
})
