import type { FlavorView, ImageView, MachineKind, RegionRef } from '#shared/bridge/catalog'
import { BareMetalOrder, MachineOrder, type MachineDraft, type PublicKeyView } from '#shared/bridge/creation'
import type { VolumeView } from '#shared/bridge/volume'
import type { Failure } from '#shared/failure'
import { regionKey, sameRegion } from '#shared/regions'
import { isPrivateKeyText, parsePublicKey } from '#shared/ssh-public-key'
import type { MessagePath } from '../../platform/i18n'

/** A wish of its own. */
export const emptyDraft = (): MachineDraft => ({
  request: crypto.randomUUID(),
  name: '',
  region: null,
  flavor: null,
  boot: 'image',
  image: null,
  volume: '',
  key: 'file',
  keyFile: null,
  pastedKey: '',
  initScript: '',
})

/** What there is to choose from. */
export interface Offer {
  readonly regions: readonly RegionRef[]
  readonly flavors: readonly FlavorView[]
  readonly images: readonly ImageView[]
  readonly keys: readonly PublicKeyView[]
}

/** From top to bottom. */
export const formFields = ['flavor', 'region', 'name', 'image', 'volume', 'key', 'script'] as const
export type FormField = (typeof formFields)[number]
export type Problems = Partial<Record<FormField, MessagePath>>

type Placed = Pick<MachineDraft, 'region'>

const regionOf = (draft: Placed, regions: readonly RegionRef[]): RegionRef | undefined =>
  regions.find((region) => regionKey(region) === draft.region)

/**
 * What is in the region that was chosen, or may be: where that is unknown, the person may try. A service without
 * regions offers everything everywhere.
 */
export const inRegion = <Item extends { readonly region: RegionRef }>(
  items: readonly Item[],
  draft: Placed,
  regions: readonly RegionRef[],
): readonly Item[] => {
  if (regions.length === 0) return items
  const region = regionOf(draft, regions)
  return region ? items.filter((item) => sameRegion(item.region, region) !== false) : []
}

/** Of a path of any system. */
export const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path

/** The key as the service takes it: named after its comment, else after its file. */
function sshKey(draft: MachineDraft, keys: readonly PublicKeyView[]) {
  if (draft.key === 'pasted') {
    const text = draft.pastedKey.trim()
    return { name: parsePublicKey(text)?.comment || 'wheelhouse', public_key: text }
  }
  const key = keys.find(({ path }) => path === draft.keyFile)
  return { name: key ? (key.comment ?? fileName(key.path)) : '', public_key: key?.publicKey ?? '' }
}

const shared = (draft: MachineDraft, keys: readonly PublicKeyView[]) => ({
  name: draft.name.trim(),
  flavor_id: draft.flavor ?? '',
  ssh_key: sshKey(draft, keys),
})

/** The body of POST /virtual-machines as the draft says it (api-spec.md §4), not checked yet. */
export const machineOrder = (draft: MachineDraft, keys: readonly PublicKeyView[]): MachineOrder => ({
  ...shared(draft, keys),
  ...(draft.boot === 'image'
    ? { image_id: draft.image ?? '' }
    : { create_bootable_volume: 'true' as const, volume_name: draft.volume.trim() }),
  ...(draft.initScript.trim() === '' ? {} : { init_script: draft.initScript }),
})

/** The body of POST /bare-metal/instances (api-spec.md §4), not checked yet. */
export const bareMetalOrder = (draft: MachineDraft, keys: readonly PublicKeyView[]): BareMetalOrder => ({
  ...shared(draft, keys),
  image_id: draft.image ?? '',
})

const fieldOfName: Readonly<Record<string, FormField>> = {
  name: 'name',
  flavor_id: 'flavor',
  image_id: 'image',
  volume_name: 'volume',
  create_bootable_volume: 'volume',
  ssh_key: 'key',
  public_key: 'key',
  init_script: 'script',
}

/** The field of the form behind a name of the wire, such as `machine.ssh_key.public_key` or `image_id`. */
function formField(name: string): FormField | null {
  for (const part of name.split('.')) {
    if (part !== 'machine' && Object.hasOwn(fieldOfName, part)) return fieldOfName[part] ?? null
  }
  return null
}

/** The field of the form that a failure is about; null where no field can show it. */
export const fieldOfFailure = (failure: Failure | null): FormField | null =>
  (failure?.kind === 'refused-by-service' || failure?.kind === 'invalid-input') && failure.field
    ? formField(failure.field)
    : null

const words: Readonly<Record<FormField, MessagePath>> = {
  region: 'creation.missing.region',
  flavor: 'creation.missing.flavor',
  image: 'creation.missing.image',
  volume: 'creation.missing.volume',
  key: 'creation.missing.key',
  script: 'failures.invalid.malformed',
  name: 'creation.missing.name',
}

const keyProblem = ({ key, pastedKey }: MachineDraft): MessagePath => {
  if (key === 'file' || pastedKey.trim() === '') return words.key
  return isPrivateKeyText(pastedKey) ? 'creation.key.privateKey' : 'creation.key.malformed'
}

/** Of a volume that is known here: what the service would refuse, in words of its own. */
function volumeProblem(
  draft: MachineDraft,
  offer: Offer,
  volumes: readonly VolumeView[],
): MessagePath | null {
  const volume = volumes.find(({ name }) => name !== null && name === draft.volume.trim())
  if (volume?.bootable === false) return 'creation.boot.notBootable'
  const region = regionOf(draft, offer.regions)
  return volume && region && sameRegion(volume.region, region) === false ? 'creation.boot.otherRegion' : null
}

/** What keeps the draft from being sent, by field: the schemas of the bridge, and what the catalog says. Pure. */
export function problemsOf(
  draft: MachineDraft,
  kind: MachineKind,
  offer: Offer,
  volumes: readonly VolumeView[] = [],
): Problems {
  const checked =
    kind === 'machine'
      ? MachineOrder.safeParse(machineOrder(draft, offer.keys))
      : BareMetalOrder.safeParse(bareMetalOrder(draft, offer.keys))
  const problems: Problems = {}
  for (const { path } of checked.error?.issues ?? []) {
    const field = formField(path.join('.'))
    if (field) problems[field] = field === 'key' ? keyProblem(draft) : words[field]
  }
  if (offer.regions.length > 0 && !regionOf(draft, offer.regions)) problems.region = words.region
  const flavor = inRegion(offer.flavors, draft, offer.regions).find(({ id }) => id === draft.flavor)
  if (!flavor) problems.flavor = words.flavor
  else if (flavor.inStock === false) problems.flavor = 'creation.missing.flavorSoldOut'
  if (draft.boot === 'image' || kind === 'bare-metal') {
    const images = inRegion(offer.images, draft, offer.regions)
    if (!images.some(({ id }) => id === draft.image)) problems.image = words.image
  } else {
    const problem = volumeProblem(draft, offer, volumes)
    if (problem) problems.volume = problem
  }
  return problems
}

/** The draft in another region: the same flavor and image where that region has them too, by name. */
export function withRegion(draft: MachineDraft, region: string, offer: Offer): MachineDraft {
  const moved = { ...draft, region }
  const counterpart = <Item extends { id: string; name: string; region: RegionRef }>(
    items: readonly Item[],
    id: string | null,
    fits: (item: Item) => boolean,
  ): string | null => {
    const name = items.find((item) => item.id === id)?.name
    const there = inRegion(items, moved, offer.regions)
    return there.find((item) => item.name === name && fits(item))?.id ?? null
  }
  return {
    ...moved,
    flavor: counterpart(offer.flavors, draft.flavor, ({ inStock }) => inStock !== false),
    image: counterpart(offer.images, draft.image, () => true),
    volume: '',
  }
}

/** What of the catalog a creation was begun with. `region` is a regionKey; undefined where the service names none. */
export interface Chosen {
  readonly region?: string | undefined
  readonly flavor?: string | undefined
  readonly image?: string | undefined
}

/** The draft with what was chosen from the catalog; what else was typed stays, as far as that region offers it. */
export function withChosen(
  draft: MachineDraft,
  { region, flavor, image }: Chosen,
  offer: Offer,
): MachineDraft {
  const moved = region === undefined || draft.region === region ? draft : withRegion(draft, region, offer)
  return {
    ...moved,
    ...(flavor === undefined ? {} : { flavor }),
    ...(image === undefined ? {} : { boot: 'image', image, volume: '' }),
  }
}
