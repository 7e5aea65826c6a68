import { searchText } from '#shared/search-text'
import type { BilledResource } from '#shared/bridge/billing'
import { textOrder } from '#shared/locale'

/**
 * What each resource is called in a list to choose from, by its id, sorted by name. Names come more than once: a
 * machine is made again and again under the same one, so those say a part of their id too.
 */
export function resourceChoices(
  resources: readonly BilledResource[],
  typeText: (type: string | null) => string,
): ReadonlyMap<string, string> {
  const times = new Map<string, number>()
  for (const { id, name } of resources) times.set(name ?? id, (times.get(name ?? id) ?? 0) + 1)
  const words = resources.map(({ id, name, type }): [string, string] => {
    const called = name ?? id
    return [id, (times.get(called) ?? 0) > 1 ? `${called} · ${typeText(type)} ${id.slice(-6)}` : called]
  })
  return new Map(words.toSorted(([, one], [, other]) => textOrder()(one, other)))
}

/** The resource that a text names: as the list calls it, by its id, or by a name that only one has. */
export function findResource(
  resources: readonly BilledResource[],
  choices: ReadonlyMap<string, string>,
  text: string,
): BilledResource | undefined {
  const wanted = searchText(text)
  const called = resources.filter(
    ({ id }) => searchText(choices.get(id) ?? '') === wanted || searchText(id) === wanted,
  )
  const named = resources.filter(({ name }) => searchText(name ?? '') === wanted)
  return called[0] ?? (named.length === 1 ? named[0] : undefined)
}
