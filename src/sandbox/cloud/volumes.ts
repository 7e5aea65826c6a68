import type { NewVolume } from '#shared/service/volume'
import { conflict, invalid, Refusal, unknown } from '../api-error'
import { flavorById, imageById, mustFind, regionById, volumeTypeById } from './catalog'
import type { MachineRecord, VolumeRecord } from './records'
import { durations } from './transitions'
import { volumeUsage } from './usage'
import { volumeName } from './volume-name'
import type { World } from './cloud'

/** Creates a volume by the rules of api-spec.md §4 (POST /volumes). Throws Refusal. */
export function createVolume(world: World, wanted: NewVolume): VolumeRecord {
  const region = regionById.get(wanted.region_id)
  if (region === undefined) throw unknown('region_id', 'region')
  const type = volumeTypeById.get(wanted.type_id)
  if (type === undefined) throw unknown('type_id', 'volume type')
  if (type.region !== region) throw invalid('type_id', `is not offered in the region ${region.id}`)
  const image = wanted.image_id === undefined ? undefined : imageById.get(wanted.image_id)
  if (wanted.image_id !== undefined && image === undefined) throw unknown('image_id', 'image')
  if (image !== undefined && image.region !== region) {
    throw invalid('image_id', `belongs to the region ${image.region.id}, not to ${region.id}`)
  }
  const currency = wanted.payment_currency ?? 'USD'
  if (currency !== 'USD') throw invalid('payment_currency', 'must be USD')

  const id = world.newId()
  const volume: VolumeRecord = {
    id,
    name: volumeName(id),
    displayName: wanted.display_name,
    region: region.id,
    type: type.id,
    size: wanted.size,
    image: image?.id ?? null,
    status: 'creating',
    transition: { to: 'available', at: world.now() + durations.volumeCreating / world.speed },
    description: wanted.description ?? '',
    currency,
    createdTime: world.now(),
    attachedTo: null,
  }
  world.addVolume(volume, volumeUsage(world.newId(), volume))
  return volume
}

/** Attaches all of the volumes or none (POST /virtual-machines/{id}/volumes). Throws Refusal. */
export function attachVolumes(world: World, machine: MachineRecord, ids: readonly string[]): void {
  if (new Set(ids).size !== ids.length) throw invalid('volume_ids', 'names a volume twice')
  const region = mustFind(flavorById, machine.flavor).region
  const volumes = ids.map((id) => attachable(world.volumes.get(id), id, region.id))
  if (machine.status !== 'running' && machine.status !== 'stopped') {
    throw conflict('virtual_machine_id', `names a machine that is ${machine.status}`)
  }
  for (const volume of volumes) {
    volume.attachedTo = machine.id
    volume.status = 'attaching'
    volume.transition = { to: 'in-use', at: world.now() + durations.volumeAttaching / world.speed }
    world.changed(volume)
  }
}

function attachable(volume: VolumeRecord | undefined, id: string, region: string): VolumeRecord {
  if (volume === undefined) throw unknown('volume_ids', `volume ${id}`)
  const named = `volume_ids: ${volume.displayName} (${id})`
  if (volume.image !== null) {
    throw new Refusal(
      'invalid',
      `${named} is bootable; only volumes that are not bootable can be attached`,
      'volume_ids',
    )
  }
  if (volume.region !== region) {
    throw new Refusal(
      'invalid',
      `${named} is in the region ${volume.region}, the machine in ${region}`,
      'volume_ids',
    )
  }
  if (volume.status !== 'available') {
    throw new Refusal('conflict', `${named} is ${volume.status}, not available`, 'volume_ids')
  }
  return volume
}

/** Begins to detach a volume (DELETE /virtual-machines/{id}/volumes/{id}). Throws Refusal. */
export function detachVolume(world: World, machine: MachineRecord, id: string): VolumeRecord {
  const volume = world.volumes.get(id)
  if (volume === undefined) throw unknown('volume_id', 'volume')
  if (volume.attachedTo !== machine.id) throw unknown('volume_id', 'volume attached to this machine')
  if (volume.image !== null) throw invalid('volume_id', 'names the volume that the machine was started from')
  if (volume.status !== 'in-use') throw conflict('volume_id', `names a volume that is ${volume.status}`)
  volume.status = 'detaching'
  volume.transition = { to: 'available', at: world.now() + durations.volumeDetaching / world.speed }
  world.changed(volume)
  return volume
}

/** Deletes a volume for good (DELETE /volumes/{id}, service-extensions.md). Throws Refusal while it is attached. */
export function deleteVolume(world: World, id: string): void {
  const volume = world.volumes.get(id)
  if (volume === undefined) throw unknown('id', 'volume')
  if (volume.attachedTo !== null)
    throw conflict('id', `names a volume that is ${volume.status}; detach it first`)
  world.remove(id)
}
