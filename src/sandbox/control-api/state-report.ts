import { bareMetalFlavorById, flavorById, mustFind } from '../cloud/catalog'
import type { World } from '../cloud/cloud'

/** What the service does not tell, for tests: addresses, user names, admitted keys (null: the identity file's) and attachments. */
export function readState(world: World) {
  const volumes = [...world.volumes.values()]
  return {
    machines: [...world.machines.values()].map((machine) => ({
      id: machine.id,
      name: machine.name,
      status: machine.status,
      region_id: mustFind(flavorById, machine.flavor).region.id,
      address: machine.address,
      username: machine.username,
      public_key: machine.publicKey,
      volume_ids: volumes.filter((volume) => volume.attachedTo === machine.id).map((volume) => volume.id),
    })),
    bare_metal: [...world.bareMetal.values()].map((instance) => ({
      id: instance.id,
      name: instance.name,
      status: instance.status,
      region_id: mustFind(bareMetalFlavorById, instance.flavor).region.id,
      address: instance.address,
      username: instance.username,
      public_key: instance.publicKey,
    })),
    volumes: volumes.map((volume) => ({
      id: volume.id,
      name: volume.name,
      display_name: volume.displayName,
      status: volume.status,
      region_id: volume.region,
      bootable: volume.image !== null,
      size_gb: volume.size,
      attached_to: volume.attachedTo,
    })),
  }
}
