import type { FlavorView, ImageView } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import { textOrder } from '#shared/locale'
import { type Chosen, emptyDraft, inRegion, type Offer, withChosen, withRegion } from './draft'
import { type GpuGroup, gpuGroups, type Place, placesOf, type Size } from './gpu-groups'
import { keyNamed, type Model } from './similar-machine'

/** The user's existing machines, which determine the defaults of the form. */
export interface Habits {
  readonly last: Model | undefined
  readonly names: ReadonlySet<string>
}

const sizeOfDraft = ({ flavor, region }: MachineDraft, sizes: readonly Size[], offer: Offer) => {
  const includesFlavor = (items: readonly FlavorView[]) => items.some(({ id }) => id === flavor)
  const inDraftRegion = sizes.find(({ offers }) =>
    includesFlavor(inRegion(offers, { region }, offer.regions)),
  )
  return inDraftRegion ?? sizes.find(({ offers }) => includesFlavor(offers))
}

/** Returns the size and the group of a draft; undefined if nothing is chosen, or it is no longer offered. */
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

/** Returns the first free name of a series such as `h100-1`. */
function suggestedName(group: GpuGroup, names: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${slugOf(group)}-${String(number)}`
    if (!names.has(name)) return name
  }
}

const isSuggested = (name: string, group: GpuGroup | undefined): boolean =>
  name === '' || (group !== undefined && new RegExp(`^${slugOf(group)}-\\d+$`).test(name))

/** Returns the version numbers in a name: `24.04 LTS CUDA 12.8` as [24, 4], [12, 8]. */
const versionsOf = (name: string): readonly (readonly number[])[] =>
  [...name.matchAll(/\d+(?:\.\d+)*/g)].map(([version]) => version.split('.').map(Number))

/** Compares images by the versions in their names, newest first. */
function byVersion(left: ImageView, right: ImageView): number {
  const [leftVersions, rightVersions] = [versionsOf(left.name), versionsOf(right.name)]
  for (let at = 0; at < Math.max(leftVersions.length, rightVersions.length); at += 1) {
    const [leftParts, rightParts] = [leftVersions[at] ?? [], rightVersions[at] ?? []]
    for (let part = 0; part < Math.max(leftParts.length, rightParts.length); part += 1) {
      const difference = (rightParts[part] ?? -1) - (leftParts[part] ?? -1)
      if (difference !== 0) return difference
    }
  }
  return textOrder()(left.name, right.name)
}

const systemOf = ({ type, name }: ImageView): string => (type ?? name.split(/[\s-]/)[0] ?? '').toLowerCase()

/** Returns the image used last if it is offered, else the newest version of the most common system. Pure. */
export function defaultImage(images: readonly ImageView[], last: string | null): ImageView | undefined {
  const lastImage = images.find(({ name }) => name === last)
  if (lastImage) return lastImage
  const counts = new Map<string, number>()
  for (const image of images) counts.set(systemOf(image), (counts.get(systemOf(image)) ?? 0) + 1)
  const [mostCommon] = [...counts].toSorted(
    ([left, leftCount], [right, rightCount]) =>
      rightCount - leftCount ||
      Number(right === 'ubuntu') - Number(left === 'ubuntu') ||
      textOrder()(left, right),
  )
  return images.filter((image) => systemOf(image) === mostCommon?.[0]).toSorted(byVersion)[0]
}

/** Fills the empty fields of a draft: the key and, once hardware is chosen, the image and the name. Pure. */
export function withDefaults(draft: MachineDraft, offer: Offer, { last, names }: Habits): MachineDraft {
  const key = offer.keys.length === 1 ? offer.keys[0] : keyNamed(offer.keys, last?.keyName ?? null)
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

/** Moves a draft to a place, with the same image if that region has it. Typed text stays. */
const withPlace = (draft: MachineDraft, { key, flavor }: Place, offer: Offer): MachineDraft => ({
  ...(draft.region === key ? draft : withRegion(draft, key, offer)),
  volume: draft.volume,
  flavor: flavor.id,
})

/**
 * Changes the size of a draft. The region stays if `keepsRegion` and the size may be in stock there. Else the cheapest
 * region in stock is chosen, and at equal prices the region of the draft or of the newest machine. Pure.
 */
export function withSize(
  draft: MachineDraft,
  { size, before }: { readonly size: Size; readonly before: GpuGroup | undefined },
  offer: Offer,
  habits: Habits,
  keepsRegion: boolean,
): MachineDraft {
  const places = placesOf(size, offer.regions)
  const [cheapest] = places
  const isCheapest = ({ flavor }: Place): boolean =>
    flavor.inStock === cheapest?.flavor.inStock &&
    flavor.price?.millionths === cheapest.flavor.price?.millionths
  const fits = (place: Place): boolean =>
    keepsRegion && place.key === draft.region ? place.flavor.inStock !== false : isCheapest(place)
  const inDraftRegion = places.find(({ key }) => key === draft.region)
  const inLastRegion = places.find(
    ({ region }) => habits.last && [region.id, region.name].includes(habits.last.region),
  )
  const place = [inDraftRegion, inLastRegion].find((candidate) => candidate && fits(candidate)) ?? cheapest
  const name = isSuggested(draft.name, before) ? '' : draft.name
  const placed = place ? withPlace(draft, place, offer) : { ...draft, flavor: size.best.id }
  return withDefaults({ ...placed, name }, offer, habits)
}

/**
 * Applies a choice from the catalog to a draft, and clears the name if it was suggested for another flavor. Another flavor
 * begins a draft of its own if the stored one holds input of the user, which can then be restored.
 */
export function fromCatalog(stored: MachineDraft, choice: Chosen, offer: Offer): MachineDraft {
  const { group } = chosenOf(stored, gpuGroups(offer.flavors), offer)
  const hasOwnName = !isSuggested(stored.name.trim(), group)
  const isOtherFlavor = choice.flavor !== undefined && choice.flavor !== stored.flavor
  const isTyped =
    hasOwnName || stored.plan !== undefined || `${stored.pastedKey}${stored.initScript}`.trim() !== ''
  if (isOtherFlavor && isTyped) return withChosen(emptyDraft(), choice, offer)
  const changed = withChosen(stored, choice, offer)
  return changed.flavor !== stored.flavor && !hasOwnName ? { ...changed, name: '' } : changed
}

/** Moves a draft to another region with the same size. Pure. */
export function inPlace(draft: MachineDraft, region: string, size: Size, offer: Offer, habits: Habits) {
  const place = placesOf(size, offer.regions).find(({ key }) => key === region)
  return place ? withDefaults(withPlace(draft, place, offer), offer, habits) : draft
}

/** Longest plausible creation, in seconds: a later start is a restart. */
const maxCreationSeconds = 3_600

interface Lifetime {
  readonly flavor: { readonly name: string | null }
  /** Epoch seconds. */
  readonly createdAt: number | null
  readonly startedAt: number | null
}

/** Returns the median seconds from creation to start, of the same flavor or else of all machines; null: unknown. Pure. */
export function usualCreation(machines: readonly Lifetime[], flavor: string | null): number | null {
  const lengthsOf = (all: readonly Lifetime[]): readonly number[] =>
    all
      .flatMap(({ createdAt, startedAt }) => (createdAt && startedAt ? [startedAt - createdAt] : []))
      .filter((length) => length > 0 && length <= maxCreationSeconds)
      .toSorted((left, right) => left - right)
  const ofFlavor = lengthsOf(machines.filter((machine) => machine.flavor.name === flavor))
  const lengths = ofFlavor.length > 0 ? ofFlavor : lengthsOf(machines)
  return lengths[Math.floor(lengths.length / 2)] ?? null
}
