import type { MachineView } from '#shared/bridge/fleet'
import type { MachineDraft } from '#shared/bridge/creation'
import { regionKey } from '#shared/regions'
import { emptyDraft, fileName, inRegion, type Offer } from './draft'

/** The next name of a series that is free: train-01 → train-02, train → train-2. */
export function nextName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, digits = ''] = /^(.*?)(\d{1,9})?$/s.exec(name) ?? []
  const base = digits === '' ? `${stem}-` : stem
  for (let number = Number(digits || 1) + 1; ; number += 1) {
    const next = base + String(number).padStart(digits.length, '0')
    if (!taken.has(next)) return next
  }
}

/** The fields of a machine from which another like it can be created. */
export type Model = Pick<MachineView, 'name' | 'flavor' | 'image' | 'region' | 'keyName'>

/** The key that a machine names: by its comment, else by its file. */
export const keyNamed = (keys: Offer['keys'], keyName: string | null): Offer['keys'][number] | undefined =>
  keys.find(
    ({ comment, path }) =>
      keyName !== null && (comment === keyName || [keyName, `${keyName}.pub`].includes(fileName(path))),
  )

/**
 * A draft for a machine like another. A machine has names where the catalog has ids: what cannot be found there is
 * left to be chosen.
 */
export function draftLike(model: Model, offer: Offer, names: ReadonlySet<string>): MachineDraft {
  const region = offer.regions.find(
    ({ id, name }) => model.region !== null && [id, name].includes(model.region),
  )
  const there = <Item extends { name: string; region: { id: string | null; name: string | null } }>(
    items: readonly Item[],
    name: string | null,
  ) =>
    (offer.regions.length === 0
      ? items
      : region
        ? inRegion(items, { region: regionKey(region) }, [region])
        : []
    ).find((item) => item.name === name)
  const flavor = there(offer.flavors, model.flavor.name)?.id ?? null
  const image = there(offer.images, model.image)?.id ?? null
  return {
    ...emptyDraft(),
    name: nextName(model.name, names),
    region: region ? regionKey(region) : null,
    flavor,
    // Where the image alone is gone, none is chosen by default in its place (withDefaults).
    image: image ?? (flavor !== null && model.image !== null ? '' : null),
    keyFile: keyNamed(offer.keys, model.keyName)?.path ?? null,
  }
}
