import { conflict, invalid, notFound } from '../api-error'
import { allocateSshEndpoint, dedicatedAddressesOf, type SshEndpoint } from './addresses'
import type { CatalogFlavor, CatalogImage } from './catalog'
import type { Cloud } from './cloud'
import { transitionSeconds } from './records'

// Rules for new virtual machines and bare metal instances (api-spec.md §4).

interface CreateRequest {
  readonly name: string
  readonly ssh_key: { readonly name: string; readonly public_key: string }
}

/** Returns a flavor. Throws ApiError if `id` is unknown. `resource` completes the message. */
export function requireFlavor(
  flavors: ReadonlyMap<string, CatalogFlavor>,
  id: string,
  resource: string,
): CatalogFlavor {
  const flavor = flavors.get(id)
  if (flavor === undefined) throw notFound('flavor_id', resource)
  return flavor
}

/** Returns an image. Throws ApiError if `id` is unknown or belongs to another region than the flavor. */
export function requireImage(
  images: ReadonlyMap<string, CatalogImage>,
  id: string,
  flavor: CatalogFlavor,
  resource: string,
): CatalogImage {
  const image = images.get(id)
  if (image === undefined) throw notFound('image_id', resource)
  if (image.region === flavor.region) return image
  throw invalid(
    'image_id',
    `belongs to the region ${image.region.id}, but flavor_id to ${flavor.region.id}: they must be the same`,
  )
}

export function requireStock(cloud: Cloud, flavor: CatalogFlavor): void {
  if (!cloud.isInStock(flavor)) throw conflict('flavor_id', `is out of stock in ${flavor.region.name}`)
}

export function newInstance(
  cloud: Cloud,
  kind: 'machine' | 'bareMetal',
  request: CreateRequest,
  flavor: CatalogFlavor,
  image: CatalogImage,
) {
  const id = cloud.newId()
  const now = cloud.now()
  const neighbours: Iterable<SshEndpoint> = (kind === 'machine' ? cloud.machines : cloud.bareMetal).values()
  const seconds = kind === 'machine' ? transitionSeconds.machineCreating : transitionSeconds.bareMetalCreating
  return {
    id,
    name: request.name,
    flavor: flavor.id,
    image: image.id,
    status: 'creating',
    transition: { to: 'running', at: now + seconds / cloud.speed },
    createdTime: now,
    startedTime: null,
    loginId: cloud.newId(),
    keyId: cloud.newId(),
    keyName: request.ssh_key.name,
    publicKey: request.ssh_key.public_key,
    ...allocateSshEndpoint(
      kind,
      id,
      image.username,
      dedicatedAddressesOf(neighbours),
      cloud.dedicatedAddresses,
    ),
  }
}
