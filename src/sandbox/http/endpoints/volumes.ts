import { z } from 'zod'
import { requireCredit } from '../../billing/fees'
import { requireById, regionById } from '../../cloud/catalog'
import { requireMachine } from '../../cloud/machines'
import type { VolumeRecord } from '../../cloud/records'
import { attachVolumes, createVolume, deleteVolume, detachVolume } from '../../cloud/volumes'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noData, noQuery, type Endpoint } from '../endpoint'
import { FilteredPageParameters } from '../list-parameters'
import { CreatedVolume, DetachedVolume, NewVolume, Volume, VolumeAttachment } from '../schemas/volumes'
import { selectPage, type ListFields } from '../select-page'

const tag = 'Volumes'

const fields: ListFields = {
  id: 'string',
  name: 'string',
  display_name: 'string',
  bootable: 'boolean',
  status: 'string',
  size_gb: 'number',
  description: 'string',
  region: 'string',
  created_time: 'number',
}

const listed = (volume: VolumeRecord) => ({
  id: volume.id,
  name: volume.name,
  display_name: volume.displayName,
  bootable: volume.image !== null,
  status: volume.status,
  size_gb: volume.size,
  description: volume.description,
  region: requireById(regionById, volume.region).name,
  created_time: volume.createdTime,
})

export const volumeEndpoints = (cloud: Cloud): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/volumes',
      tag,
      extension: true,
      summary: 'List volumes',
      description: 'Beyond the specification.',
      query: FilteredPageParameters,
      body: noBody,
      data: z.array(Volume),
      paginated: true,
    },
    ({ query }) => ({
      message: 'Volumes',
      ...selectPage({ items: [...cloud.volumes.values()], view: listed, fields }, query),
    }),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/volumes/{id}',
      tag,
      extension: true,
      summary: 'Delete a volume',
      description: 'Beyond the specification. Cannot be undone. It must be detached first.',
      query: noQuery,
      body: noBody,
      data: noData,
      errors: ['conflict'],
    },
    ({ param }) => {
      deleteVolume(cloud, param('id'))
      return { message: 'The volume is deleted' }
    },
  ),
  endpoint(
    {
      method: 'POST',
      path: '/volumes',
      tag,
      summary: 'Create a volume',
      description:
        'With image_id the volume is bootable. Region, volume type and image must belong together; the currency is USD.',
      query: noQuery,
      body: NewVolume,
      data: CreatedVolume,
      errors: ['payment-required', 'not-found'],
    },
    ({ body }) => {
      requireCredit(cloud)
      const volume = createVolume(cloud, body)
      return {
        message: 'The volume is being created',
        data: {
          id: volume.id,
          display_name: volume.displayName,
          name: volume.name,
          size_gb: volume.size,
          status: volume.status,
          description: volume.description,
          payment_currency: volume.currency,
        },
      }
    },
  ),
  endpoint(
    {
      method: 'POST',
      path: '/virtual-machines/{virtual_machine_id}/volumes',
      tag,
      summary: 'Attach volumes to a virtual machine',
      description:
        'All of them or none. They must be available, not bootable, and in the region of the machine.',
      query: noQuery,
      body: VolumeAttachment,
      data: noData,
      errors: ['conflict'],
    },
    ({ param, body }) => {
      const machine = requireMachine(cloud, param('virtual_machine_id'), 'virtual_machine_id')
      attachVolumes(cloud, machine, body.volume_ids)
      return { message: 'The volumes are being attached' }
    },
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/virtual-machines/{virtual_machine_id}/volumes/{volume_id}',
      tag,
      summary: 'Detach a volume from a virtual machine',
      query: noQuery,
      body: noBody,
      data: DetachedVolume,
      errors: ['invalid', 'conflict'],
    },
    ({ param }) => {
      const machine = requireMachine(cloud, param('virtual_machine_id'), 'virtual_machine_id')
      const volume = detachVolume(cloud, machine, param('volume_id'))
      return {
        message: 'The volume is being detached',
        data: { _id: volume.id, volume_id: volume.id, status: volume.status },
      }
    },
  ),
]
