import type { NewMachine } from '#shared/service/machine'
import { conflict, invalid, unknown } from '../api-error'
import { ownAddressesOf, placeFor } from './addresses'
import { flavorById, imageById, mustFind, type CatalogFlavor, type CatalogImage } from './catalog'
import { defaultFirewallRules } from './firewall-rules'
import { requirePublicKey } from './public-key'
import type { MachineRecord, VolumeRecord } from './records'
import { durations } from './transitions'
import { machineUsage } from './usage'
import type { World } from './cloud'

/** Throws Refusal where there is none. `field` is the parameter that named it. */
export function requireMachine(world: World, id: string, field: string): MachineRecord {
  const machine = world.machines.get(id)
  if (machine === undefined) throw unknown(field, 'virtual machine')
  return machine
}

/** Creates a machine by the rules of api-spec.md §4 (POST /virtual-machines). Throws Refusal. */
export function createMachine(world: World, wanted: NewMachine): MachineRecord {
  requirePublicKey(wanted.ssh_key.public_key, 'ssh_key.public_key')
  const flavor = flavorById.get(wanted.flavor_id)
  if (flavor === undefined) throw unknown('flavor_id', 'flavor')
  const volume = bootVolume(world, wanted, flavor)
  const image = volume === undefined ? requireImage(wanted, flavor) : mustFind(imageById, volume.image ?? '')
  if (!flavor.inStock) throw conflict('flavor_id', `is out of stock in ${flavor.region.name}`)

  const id = world.newId()
  const now = world.now()
  const taken = ownAddressesOf(world.machines.values())
  const machine: MachineRecord = {
    id,
    name: wanted.name,
    flavor: flavor.id,
    image: image.id,
    status: 'creating',
    transition: { to: 'running', at: now + durations.machineCreating / world.speed },
    createdTime: now,
    startedTime: null,
    stoppedTime: null,
    loginId: world.newId(),
    keyId: world.newId(),
    keyName: wanted.ssh_key.name,
    publicKey: wanted.ssh_key.public_key,
    ...placeFor('machine', id, image.username, taken, world.ownAddresses),
    workload: 'idle',
    team: 'platform',
    owner: 'you',
    firewallRules: defaultFirewallRules(world.newId, now, false),
  }
  world.addMachine(machine, machineUsage(world.newId(), machine, flavor))
  if (volume !== undefined) {
    volume.attachedTo = id
    volume.status = 'attaching'
    volume.transition = { to: 'in-use', at: now + durations.volumeAttaching / world.speed }
    world.changed(volume)
  }
  return machine
}

function requireImage(wanted: NewMachine, flavor: CatalogFlavor): CatalogImage {
  if (wanted.image_id === undefined) {
    throw invalid('image_id', 'is required unless the machine is created from an existing bootable volume')
  }
  const image = imageById.get(wanted.image_id)
  if (image === undefined) throw unknown('image_id', 'image')
  if (image.region !== flavor.region) {
    throw invalid(
      'image_id',
      `belongs to the region ${image.region.id}, but flavor_id to ${flavor.region.id}: they must be the same`,
    )
  }
  return image
}

/** The volume to start from, or undefined where the machine starts from an image. */
function bootVolume(world: World, wanted: NewMachine, flavor: CatalogFlavor): VolumeRecord | undefined {
  const { create_bootable_volume: enabled, volume_name: name } = wanted
  if (name === undefined) {
    if (enabled !== 'true') return undefined
    throw invalid('volume_name', 'is required when create_bootable_volume is "true"')
  }
  if (enabled === 'false')
    throw invalid('volume_name', 'must be omitted when create_bootable_volume is "false"')
  if (wanted.image_id !== undefined) throw invalid('image_id', 'must be omitted when volume_name is given')
  const volume = [...world.volumes.values()].find((one) => one.name === name)
  if (volume === undefined) throw unknown('volume_name', 'volume')
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
