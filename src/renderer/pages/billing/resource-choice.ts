import type { BilledResource } from '#shared/bridge/billing'
import { textOrder, searchText } from '#shared/locale'

/**
 * Returns a label for each resource by its id, sorted by label. Machines are often recreated under the same name, so
 * the label of a repeated name includes a part of the id.
 */
export function resourceChoices(
  resources: readonly BilledResource[],
  typeText: (type: string | null) => string,
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const { id, name } of resources) counts.set(name ?? id, (counts.get(name ?? id) ?? 0) + 1)
  const labels = resources.map(({ id, name, type }): [string, string] => {
    const label = name ?? id
    return [id, (counts.get(label) ?? 0) > 1 ? `${label} · ${typeText(type)} ${id.slice(-6)}` : label]
  })
  return new Map(labels.toSorted(([, left], [, right]) => textOrder()(left, right)))
}

/** Finds the resource by its label, its id, or a name that only one resource has. */
export function findResource(
  resources: readonly BilledResource[],
  choices: ReadonlyMap<string, string>,
  text: string,
): BilledResource | undefined {
  const wanted = searchText(text)
  const byLabel = resources.find(
    ({ id }) => searchText(choices.get(id) ?? '') === wanted || searchText(id) === wanted,
  )
  const byName = resources.filter(({ name }) => searchText(name ?? '') === wanted)
  return byLabel ?? (byName.length === 1 ? byName[0] : undefined)
}
