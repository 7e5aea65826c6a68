import type { NewVolume } from '#shared/service/volume'
import { ApiError, conflict, invalid, notFound } from '../api-error'
import { flavorById, imageById, requireById, regionById, volumeTypeById } from './catalog'
import type { Cloud } from './cloud'
import { attach } from './machines'
import { transitionSeconds, type MachineRecord, type VolumeRecord } from './records'
import { volumeUsage } from './usage'

/** Returns the generated name of a volume, which `volume_name` refers to when a machine is created from it. */
export const volumeName = (id: string): string => `vol-${id.slice(0, 12)}`

/** Creates a volume by the rules of api-spec.md §4 (POST /volumes). Throws ApiError. */
export function createVolume(cloud: Cloud, request: NewVolume): VolumeRecord {
  const region = regionById.get(request.region_id)
  if (region === undefined) throw notFound('region_id', 'region')
  const type = volumeTypeById.get(request.type_id)
  if (type === undefined) throw notFound('type_id', 'volume type')
  if (type.region !== region) throw invalid('type_id', `is not offered in the region ${region.id}`)
  const image = request.image_id === undefined ? undefined : imageById.get(request.image_id)
  if (request.image_id !== undefined && image === undefined) throw notFound('image_id', 'image')
  if (image !== undefined && image.region !== region) {
    throw invalid('image_id', `belongs to the region ${image.region.id}, not to ${region.id}`)
  }

  const id = cloud.newId()
  const volume: VolumeRecord = {
    id,
    name: volumeName(id),
    displayName: request.display_name,
    region: region.id,
    type: type.id,
    size: request.size,
    image: image?.id ?? null,
    status: 'creating',
    transition: { to: 'available', at: cloud.now() + transitionSeconds.volumeCreating / cloud.speed },
    description: request.description ?? '',
    currency: request.payment_currency ?? 'USD',
    createdTime: cloud.now(),
    attachedTo: null,
  }
  cloud.addVolume(volume, volumeUsage(cloud.newId(), volume))
  return volume
}

/** Attaches all volumes or none (POST /virtual-machines/{id}/volumes). Throws ApiError. */
export function attachVolumes(cloud: Cloud, machine: MachineRecord, ids: readonly string[]): void {
  const region = requireById(flavorById, machine.flavor).region
  const volumes = ids.map((id) => attachable(cloud.volumes.get(id), id, region.id))
  if (machine.status !== 'running' && machine.status !== 'stopped') {
    throw conflict('virtual_machine_id', `names a machine that is ${machine.status}`)
  }
  for (const volume of volumes) attach(cloud, volume, machine)
}

function attachable(volume: VolumeRecord | undefined, id: string, region: string): VolumeRecord {
  if (volume === undefined) throw notFound('volume_ids', `volume ${id}`)
  const named = `volume_ids: ${volume.displayName} (${id})`
  if (volume.image !== null) {
    throw new ApiError(
      'invalid',
      `${named} is bootable; only volumes that are not bootable can be attached`,
      'volume_ids',
    )
  }
  if (volume.region !== region) {
    throw new ApiError(
      'invalid',
      `${named} is in the region ${volume.region}, the machine in ${region}`,
      'volume_ids',
    )
  }
  if (volume.status !== 'available') {
    throw new ApiError('conflict', `${named} is ${volume.status}, not available`, 'volume_ids')
  }
  return volume
}

/** Begins to detach a volume (DELETE /virtual-machines/{id}/volumes/{id}). Throws ApiError. */
export function detachVolume(cloud: Cloud, machine: MachineRecord, id: string): VolumeRecord {
  const volume = cloud.volumes.get(id)
  if (volume === undefined) throw notFound('volume_id', 'volume')
  if (volume.attachedTo !== machine.id) throw notFound('volume_id', 'volume attached to this machine')
  if (volume.image !== null) throw invalid('volume_id', 'names the volume that the machine was started from')
  if (volume.status !== 'in-use') throw conflict('volume_id', `names a volume that is ${volume.status}`)
  volume.status = 'detaching'
  volume.transition = { to: 'available', at: cloud.now() + transitionSeconds.volumeDetaching / cloud.speed }
  cloud.changed(volume)
  return volume
}

/** Deletes a volume (DELETE /volumes/{id}, service-extensions.md). Throws ApiError while it is attached. */
export function deleteVolume(cloud: Cloud, id: string): void {
  const volume = cloud.volumes.get(id)
  if (volume === undefined) throw notFound('id', 'volume')
  if (volume.attachedTo !== null)
    throw conflict('id', `names a volume that is ${volume.status}; detach it first`)
  cloud.remove(id)
}
