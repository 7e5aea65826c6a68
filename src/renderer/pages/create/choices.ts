import type { FlavorView, ImageView } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import { textOrder } from '#shared/locale'
import { type Chosen, inRegion, type Offer, withChosen, withRegion } from './draft'
import { type GpuGroup, gpuGroups, type Place, placesOf, type Size } from './gpu-groups'
import { keyNamed, type Model } from './similar-machine'

/** What is known of the person's machines, from which the rest of the form is chosen. */
export interface Habits {
  /** The newest machine of the account. */
  readonly last: Model | undefined
  readonly names: ReadonlySet<string>
}

const sizeOfDraft = ({ flavor, region }: MachineDraft, sizes: readonly Size[], offer: Offer) => {
  const holds = (items: readonly FlavorView[]) => items.some(({ id }) => id === flavor)
  const here = sizes.find(({ offers }) => holds(inRegion(offers, { region }, offer.regions)))
  return here ?? sizes.find(({ offers }) => holds(offers))
}

/** What a draft holds of the groups; undefined where nothing is chosen, or it is not offered any more. */
export function chosenOf(draft: MachineDraft, groups: readonly GpuGroup[], offer: Offer) {
  const size = sizeOfDraft(
    draft,
    groups.flatMap(({ sizes }) => sizes),
    offer,
  )
  return { size, group: size && groups.find(({ sizes }) => sizes.includes(size)) }
}

const slugOf = (group: GpuGroup | undefined): string =>
  group?.model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'machine'

/** `h100-1`: the first of a series that is free. */
function suggestedName(group: GpuGroup, names: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${slugOf(group)}-${String(number)}`
    if (!names.has(name)) return name
  }
}

const isSuggested = (name: string, group: GpuGroup | undefined): boolean =>
  name === '' || (group !== undefined && new RegExp(`^${slugOf(group)}-\\d+$`).test(name))

/** The numbers of a name by which versions are compared: `24.04 LTS CUDA 12.8` as [24, 4], [12, 8]. */
const versionsOf = (name: string): readonly (readonly number[])[] =>
  [...name.matchAll(/\d+(?:\.\d+)*/g)].map(([version]) => version.split('.').map(Number))

function newer(one: ImageView, other: ImageView): number {
  const [first, second] = [versionsOf(one.name), versionsOf(other.name)]
  for (let at = 0; at < Math.max(first.length, second.length); at += 1) {
    const [version, others] = [first[at] ?? [], second[at] ?? []]
    for (let place = 0; place < Math.max(version.length, others.length); place += 1) {
      const difference = (others[place] ?? -1) - (version[place] ?? -1)
      if (difference !== 0) return difference
    }
  }
  return textOrder()(one.name, other.name)
}

const systemOf = ({ type, name }: ImageView): string => (type ?? name.split(/[\s-]/)[0] ?? '').toLowerCase()

/** The image used last where it is offered, else the highest version of the system that most images have. Pure. */
export function defaultImage(images: readonly ImageView[], last: string | null): ImageView | undefined {
  const used = images.find(({ name }) => name === last)
  if (used) return used
  const counts = new Map<string, number>()
  for (const image of images) counts.set(systemOf(image), (counts.get(systemOf(image)) ?? 0) + 1)
  const [most] = [...counts].toSorted(
    ([one, count], [other, others]) =>
      others - count || Number(other === 'ubuntu') - Number(one === 'ubuntu') || textOrder()(one, other),
  )
  return images.filter((image) => systemOf(image) === most?.[0]).toSorted(newer)[0]
}

/** The draft with all that it leaves open and that can be chosen: the key and, once there is hardware, image and name. Pure. */
export function withDefaults(draft: MachineDraft, offer: Offer, { last, names }: Habits): MachineDraft {
  const [only, ...others] = offer.keys
  const key = others.length === 0 ? only : keyNamed(offer.keys, last?.keyName ?? null)
  const withKey = { ...draft, keyFile: draft.keyFile ?? key?.path ?? null }
  const { group } = chosenOf(draft, gpuGroups(offer.flavors), offer)
  if (!group) return withKey
  const images = draft.boot === 'image' ? inRegion(offer.images, draft, offer.regions) : []
  return {
    ...withKey,
    image: draft.image ?? defaultImage(images, last?.image ?? null)?.id ?? null,
    name: draft.name === '' ? suggestedName(group, names) : draft.name,
  }
}

/** The draft in a place of a size: the same image where that region has it, too. What was typed stays. */
const withPlace = (draft: MachineDraft, { key, flavor }: Place, offer: Offer): MachineDraft => ({
  ...(draft.region === key ? draft : withRegion(draft, key, offer)),
  volume: draft.volume,
  flavor: flavor.id,
})

/**
 * The draft with another size: in the region that it has where `isKept` and the size may be in stock there, else where
 * it is in stock and cheapest, in that of the draft or of the newest machine where these cost the same. Pure.
 */
export function withSize(
  draft: MachineDraft,
  { size, before }: { readonly size: Size; readonly before: GpuGroup | undefined },
  offer: Offer,
  habits: Habits,
  isKept: boolean,
): MachineDraft {
  const places = placesOf(size, offer.regions)
  const [first] = places
  const isAsGood = ({ flavor }: Place): boolean =>
    flavor.inStock === first?.flavor.inStock && flavor.price?.millionths === first.flavor.price?.millionths
  const here = places.find(({ key }) => key === draft.region)
  const home = places.find(
    ({ region }) => habits.last && [region.id, region.name].includes(habits.last.region),
  )
  const place =
    here && (isKept ? here.flavor.inStock !== false : isAsGood(here))
      ? here
      : home && isAsGood(home)
        ? home
        : first
  const name = isSuggested(draft.name, before) ? '' : draft.name
  const placed = place ? withPlace(draft, place, offer) : { ...draft, flavor: size.best.id }
  return withDefaults({ ...placed, name }, offer, habits)
}

/** The draft with what was chosen from the catalog, under a name of its own where the one before was suggested. Pure. */
export function fromCatalog(draft: MachineDraft, wanted: Chosen, offer: Offer): MachineDraft {
  const begun = withChosen(draft, wanted, offer)
  const { group } = chosenOf(draft, gpuGroups(offer.flavors), offer)
  return begun.flavor !== draft.flavor && isSuggested(draft.name, group) ? { ...begun, name: '' } : begun
}

/** The draft in another region, of the same size. Pure. */
export function inPlace(draft: MachineDraft, region: string, size: Size, offer: Offer, habits: Habits) {
  const place = placesOf(size, offer.regions).find(({ key }) => key === region)
  return place ? withDefaults(withPlace(draft, place, offer), offer, habits) : draft
}

/** Seconds beyond which a start is none of the creation: the machine was stopped, or booted again. */
const longestCreation = 3_600

interface Lifetime {
  readonly flavor: { readonly name: string | null }
  /** Epoch seconds. */
  readonly createdAt: number | null
  readonly startedAt: number | null
}

/** Seconds from creation to start as is usual of these machines: of the same flavor, else of all; null: unknown. Pure. */
export function usualCreation(machines: readonly Lifetime[], flavor: string | null): number | null {
  const lengthsOf = (all: readonly Lifetime[]): readonly number[] =>
    all
      .flatMap(({ createdAt, startedAt }) => (createdAt && startedAt ? [startedAt - createdAt] : []))
      .filter((length) => length > 0 && length <= longestCreation)
      .toSorted((one, other) => one - other)
  const alike = lengthsOf(machines.filter((machine) => machine.flavor.name === flavor))
  const lengths = alike.length > 0 ? alike : lengthsOf(machines)
  return lengths[Math.floor(lengths.length / 2)] ?? null
}
