import type { MachineView } from '#shared/bridge/fleet'
import type { MachineDraft } from '#shared/bridge/creation'
import { nextName } from '#shared/next-name'
import { regionKey } from '#shared/regions'
import { emptyDraft, fileName, inRegion, type Offer } from './draft'

export type Model = Pick<MachineView, 'name' | 'flavor' | 'image' | 'region' | 'keyName'>

/** Finds the key of a name that a machine reports: the key's comment or its file name. */
export const keyNamed = (keys: Offer['keys'], keyName: string | null): Offer['keys'][number] | undefined =>
  keys.find(
    ({ comment, path }) =>
      keyName !== null && (comment === keyName || [keyName, `${keyName}.pub`].includes(fileName(path))),
  )

/** Creates a draft of a similar machine. Machines report names, not ids; fields whose name is not offered stay empty. */
export function draftLike(model: Model, offer: Offer, names: ReadonlySet<string>): MachineDraft {
  const region = offer.regions.find(
    ({ id, name }) => model.region !== null && [id, name].includes(model.region),
  )
  const offered = <Item extends { name: string; region: { id: string | null; name: string | null } }>(
    items: readonly Item[],
    name: string | null,
  ) =>
    (offer.regions.length === 0
      ? items
      : region
        ? inRegion(items, { region: regionKey(region) }, [region])
        : []
    ).find((item) => item.name === name)
  const flavor = offered(offer.flavors, model.flavor.name)?.id ?? null
  const image = offered(offer.images, model.image)?.id ?? null
  return {
    ...emptyDraft(),
    name: nextName(model.name, names),
    region: region ? regionKey(region) : null,
    flavor,
    // If only the image is no longer offered, '' keeps withDefaults from choosing another.
    image: image ?? (flavor !== null && model.image !== null ? '' : null),
    keyFile: keyNamed(offer.keys, model.keyName)?.path ?? null,
  }
}
