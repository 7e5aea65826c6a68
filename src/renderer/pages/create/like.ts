import type { MachineView } from '#shared/bridge/fleet'
import type { MachineDraft } from '#shared/bridge/creation'
import { regionKey, sameRegion } from '#shared/regions'
import { emptyDraft, type Offer } from './draft'

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
  ) => items.find((item) => region && item.name === name && sameRegion(item.region, region) !== false)
  const key = offer.keys.find(
    ({ comment, path }) =>
      model.keyName !== null && (comment === model.keyName || path.endsWith(`${model.keyName}.pub`)),
  )
  return {
    ...emptyDraft(),
    name: nextName(model.name, names),
    region: region ? regionKey(region) : null,
    flavor: there(offer.flavors, model.flavor.name)?.id ?? null,
    image: there(offer.images, model.image)?.id ?? null,
    keyFile: key?.path ?? null,
  }
}
