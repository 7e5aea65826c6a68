import { z } from 'zod'
import type { PageQuery } from '#shared/service/page'
import { DetachedVolume, type NewVolume, Volume, type VolumeAttachment } from '#shared/service/volume'
import { nothing, oneOrMany, type ServiceHttp } from './http'
import { seg } from './path-segment'

/** Documented as an array with one volume and shown as an object (api-spec.md §4, POST /volumes). */
const CreatedVolume: z.ZodType<Volume> = z.union([z.tuple([Volume]).transform(([volume]) => volume), Volume])

/** Block storage (api-spec.md §4). Listing and deleting are capabilities (service-extensions.md). */
export const volumes = (http: ServiceHttp) => ({
  list: (page: PageQuery, signal?: AbortSignal) => http.page('/volumes', page, Volume, signal, 'volume-list'),
  remove: (id: string) => http.send('DELETE', `/volumes/${seg(id)}`, undefined, nothing),
  create: (volume: NewVolume) => http.send('POST', '/volumes', volume, CreatedVolume),
  attach: (machineId: string, attachment: VolumeAttachment) =>
    http.send('POST', `/virtual-machines/${seg(machineId)}/volumes`, attachment, nothing),
  /** Returns the record of the detachment, or the volumes that remain attached. */
  detach: (machineId: string, volumeId: string) =>
    http.send(
      'DELETE',
      `/virtual-machines/${seg(machineId)}/volumes/${seg(volumeId)}`,
      undefined,
      oneOrMany(DetachedVolume),
    ),
})
