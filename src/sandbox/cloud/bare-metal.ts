import type { NewBareMetalInstance } from '#shared/service/bare-metal'
import { conflict, invalid, unknown } from '../api-error'
import { ownAddressesOf, placeFor } from './addresses'
import { bareMetalFlavorById, bareMetalImageById } from './catalog'
import { requirePublicKey } from './public-key'
import type { BareMetalRecord } from './records'
import { durations } from './transitions'
import { machineUsage } from './usage'
import type { World } from './cloud'

/** Creates an instance by the rules of api-spec.md §4 (POST /bare-metal/instances). Throws Refusal. */
export function createBareMetal(world: World, wanted: NewBareMetalInstance): BareMetalRecord {
  requirePublicKey(wanted.ssh_key.public_key, 'ssh_key.public_key')
  const flavor = bareMetalFlavorById.get(wanted.flavor_id)
  if (flavor === undefined) throw unknown('flavor_id', 'bare metal flavor')
  const image = bareMetalImageById.get(wanted.image_id)
  if (image === undefined) throw unknown('image_id', 'bare metal image')
  if (image.region !== flavor.region) {
    throw invalid(
      'image_id',
      `belongs to the region ${image.region.id}, but flavor_id to ${flavor.region.id}: they must be the same`,
    )
  }
  if (!flavor.inStock) throw conflict('flavor_id', `is out of stock in ${flavor.region.name}`)

  const id = world.newId()
  const now = world.now()
  const taken = ownAddressesOf(world.bareMetal.values())
  const instance: BareMetalRecord = {
    id,
    name: wanted.name,
    flavor: flavor.id,
    image: image.id,
    status: 'creating',
    transition: { to: 'running', at: now + durations.bareMetalCreating / world.speed },
    createdTime: now,
    startedTime: null,
    loginId: world.newId(),
    keyId: world.newId(),
    keyName: wanted.ssh_key.name,
    publicKey: wanted.ssh_key.public_key,
    ...placeFor('bareMetal', id, image.username, taken, world.ownAddresses),
  }
  world.addBareMetal(instance, machineUsage(world.newId(), instance, flavor))
  return instance
}
