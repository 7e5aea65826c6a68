import type { NewMachine } from '#shared/service/machine'
import { conflict, invalid, notFound } from '../api-error'
import { flavorById, imageById, requireById, type CatalogFlavor } from './catalog'
import type { Cloud } from './cloud'
import { defaultFirewallRules } from './firewall-rules'
import { newInstance, requireFlavor, requireImage, requireStock } from './provisioning'
import { transitionSeconds, type MachineRecord, type VolumeRecord } from './records'
import { machineUsage } from './usage'

/** Returns a machine. Throws ApiError if there is none. `field`: parameter with the id. */
export function requireMachine(cloud: Cloud, id: string, field: string): MachineRecord {
  const machine = cloud.machines.get(id)
  if (machine === undefined) throw notFound(field, 'virtual machine')
  return machine
}

/** Creates a machine by the rules of api-spec.md §4 (POST /virtual-machines). Throws ApiError. */
export function createMachine(cloud: Cloud, request: NewMachine): MachineRecord {
  const flavor = requireFlavor(flavorById, request.flavor_id, 'flavor')
  const volume = bootVolume(cloud, request, flavor)
  const image =
    volume === undefined
      ? requireImage(imageById, requiredImageId(request), flavor, 'image')
      : requireById(imageById, volume.image ?? '')
  requireStock(cloud, flavor)
  const instance = newInstance(cloud, 'machine', request, flavor, image)
  const machine: MachineRecord = {
    ...instance,
    stoppedTime: null,
    workload: 'idle',
    team: 'platform',
    owner: 'you',
    firewallRules: defaultFirewallRules(cloud.newId, instance.createdTime, false),
  }
  cloud.addMachine(machine, machineUsage(cloud.newId(), machine, flavor))
  if (volume !== undefined) attach(cloud, volume, machine)
  return machine
}

function requiredImageId({ image_id: id }: NewMachine): string {
  if (id !== undefined) return id
  throw invalid('image_id', 'is required unless the machine is created from an existing bootable volume')
}

/** Begins to attach a volume whose state was checked. */
export function attach(cloud: Cloud, volume: VolumeRecord, machine: MachineRecord): void {
  volume.attachedTo = machine.id
  volume.status = 'attaching'
  volume.transition = { to: 'in-use', at: cloud.now() + transitionSeconds.volumeAttaching / cloud.speed }
  cloud.changed(volume)
}

/** Returns the volume to boot from; undefined if the machine boots from an image. */
function bootVolume(cloud: Cloud, request: NewMachine, flavor: CatalogFlavor): VolumeRecord | undefined {
  const { create_bootable_volume: enabled, volume_name: name } = request
  if (name === undefined) {
    if (enabled !== 'true') return undefined
    throw invalid('volume_name', 'is required when create_bootable_volume is "true"')
  }
  if (enabled === 'false')
    throw invalid('volume_name', 'must be omitted when create_bootable_volume is "false"')
  if (request.image_id !== undefined) throw invalid('image_id', 'must be omitted when volume_name is given')
  const volume = [...cloud.volumes.values()].find((candidate) => candidate.name === name)
  if (volume === undefined) throw notFound('volume_name', 'volume')
  if (volume.image === null) throw invalid('volume_name', 'names a volume that is not bootable')
  if (volume.region !== flavor.region.id) {
    throw invalid(
      'volume_name',
      `names a volume in the region ${volume.region}, but flavor_id belongs to ${flavor.region.id}: they must be the same`,
    )
  }
  if (volume.status !== 'available') throw conflict('volume_name', `names a volume that is ${volume.status}`)
  return volume
}
