import { bareMetalFlavorById, flavorById, requireById } from '../cloud/catalog'
import type { Cloud } from '../cloud/cloud'

/** Reports state that the service hides: addresses, user names, public keys (null: the identity file's), attachments. */
export function stateReport(cloud: Cloud) {
  const volumes = [...cloud.volumes.values()]
  return {
    machines: [...cloud.machines.values()].map((machine) => ({
      id: machine.id,
      name: machine.name,
      status: machine.status,
      region_id: requireById(flavorById, machine.flavor).region.id,
      address: machine.address,
      username: machine.username,
      public_key: machine.publicKey,
      volume_ids: volumes.filter((volume) => volume.attachedTo === machine.id).map((volume) => volume.id),
    })),
    bare_metal: [...cloud.bareMetal.values()].map((instance) => ({
      id: instance.id,
      name: instance.name,
      status: instance.status,
      region_id: requireById(bareMetalFlavorById, instance.flavor).region.id,
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
