import type { NewBareMetalInstance } from '#shared/service/bare-metal'
import { bareMetalFlavorById, bareMetalImageById } from './catalog'
import type { Cloud } from './cloud'
import { newInstance, requireFlavor, requireImage, requireStock } from './provisioning'
import type { BareMetalRecord } from './records'
import { machineUsage } from './usage'

/** Creates an instance by the rules of api-spec.md §4 (POST /bare-metal/instances). Throws ApiError. */
export function createBareMetal(cloud: Cloud, request: NewBareMetalInstance): BareMetalRecord {
  const flavor = requireFlavor(bareMetalFlavorById, request.flavor_id, 'bare metal flavor')
  const image = requireImage(bareMetalImageById, request.image_id, flavor, 'bare metal image')
  requireStock(cloud, flavor)
  const instance = newInstance(cloud, 'bareMetal', request, flavor, image)
  cloud.addBareMetal(instance, machineUsage(cloud.newId(), instance, flavor))
  return instance
}
