import type { FlavorView, ImageView, MachineKind, RegionRef } from '#shared/bridge/catalog'
import { BareMetalOrder, MachineOrder, type MachineDraft, type PublicKeyView } from '#shared/bridge/creation'
import type { VolumeView } from '#shared/bridge/volume'
import type { Failure } from '#shared/failure'
import { regionKey, sameRegion } from '#shared/regions'
import { lacksValues } from '#shared/secret-mask'
import { isPrivateKeyText, parsePublicKey } from '#shared/ssh-public-key'
import type { MessagePath } from '../../platform/i18n'

/** Creates an empty draft with a new request id. */
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

export interface Offer {
  readonly regions: readonly RegionRef[]
  readonly flavors: readonly FlavorView[]
  readonly images: readonly ImageView[]
  readonly keys: readonly PublicKeyView[]
}

/** Fields of the form from top to bottom. */
export const formFields = ['flavor', 'region', 'name', 'image', 'volume', 'key', 'script', 'plan'] as const
export type FormField = (typeof formFields)[number]
export type Problems = Partial<Record<FormField, MessagePath>>

type Placed = Pick<MachineDraft, 'region'>

const regionOf = (draft: Placed, regions: readonly RegionRef[]): RegionRef | undefined =>
  regions.find((region) => regionKey(region) === draft.region)

/** Returns the items in the draft's region, or whose region is unknown. Without regions, all items. */
export const inRegion = <Item extends { readonly region: RegionRef }>(
  items: readonly Item[],
  draft: Placed,
  regions: readonly RegionRef[],
): readonly Item[] => {
  if (regions.length === 0) return items
  const region = regionOf(draft, regions)
  return region ? items.filter((item) => sameRegion(item.region, region) !== false) : []
}

export const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path

/** Returns the key for the service, named after its comment or its file. */
function sshKey(draft: MachineDraft, keys: readonly PublicKeyView[]) {
  if (draft.key === 'pasted') {
    const text = draft.pastedKey.trim()
    return { name: parsePublicKey(text)?.comment || 'wheelhouse', public_key: text }
  }
  const key = keys.find(({ path }) => path === draft.keyFile)
  return { name: key ? (key.comment ?? fileName(key.path)) : '', public_key: key?.publicKey ?? '' }
}

/** Returns the private key file that belongs to the chosen public key; null if it is not known. */
export const identityFileOf = (
  { key, keyFile }: MachineDraft,
  keys: readonly PublicKeyView[],
): string | null => (key === 'file' ? keys.find(({ path }) => path === keyFile)?.identityFile : null) ?? null

const commonFields = (draft: MachineDraft, keys: readonly PublicKeyView[]) => ({
  name: draft.name.trim(),
  flavor_id: draft.flavor ?? '',
  ssh_key: sshKey(draft, keys),
})

/** Returns the unchecked body of POST /virtual-machines (api-spec.md §4). */
export const machineOrder = (draft: MachineDraft, keys: readonly PublicKeyView[]): MachineOrder => ({
  ...commonFields(draft, keys),
  ...(draft.boot === 'image'
    ? { image_id: draft.image ?? '' }
    : { create_bootable_volume: 'true' as const, volume_name: draft.volume.trim() }),
  ...(draft.initScript.trim() === '' ? {} : { init_script: draft.initScript }),
})

/** Returns the unchecked body of POST /bare-metal/instances (api-spec.md §4). */
export const bareMetalOrder = (draft: MachineDraft, keys: readonly PublicKeyView[]): BareMetalOrder => ({
  ...commonFields(draft, keys),
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

/** Returns the form's field of a wire name such as `machine.ssh_key.public_key` or `image_id`. */
function formField(name: string): FormField | null {
  for (const part of name.split('.')) {
    if (part !== 'machine' && Object.hasOwn(fieldOfName, part)) return fieldOfName[part] ?? null
  }
  return null
}

export const fieldOfFailure = (failure: Failure | null): FormField | null =>
  (failure?.kind === 'refused-by-service' || failure?.kind === 'invalid-input') && failure.field
    ? formField(failure.field)
    : null

const missingMessages: Readonly<Record<FormField, MessagePath>> = {
  region: 'creation.missing.region',
  flavor: 'creation.missing.flavor',
  image: 'creation.missing.image',
  volume: 'creation.missing.volume',
  key: 'creation.missing.key',
  script: 'failures.invalid.malformed',
  name: 'creation.missing.name',
  plan: 'templates.plan.incomplete',
}

const keyProblem = ({ key, pastedKey }: MachineDraft): MessagePath => {
  if (key === 'file' || pastedKey.trim() === '') return missingMessages.key
  return isPrivateKeyText(pastedKey) ? 'creation.key.privateKey' : 'creation.key.malformed'
}

/** Returns the reason why the service would reject a known boot volume, or null. */
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

/** Checks a draft against the bridge's schemas and the catalog; returns problems by field. Pure. */
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
    if (field) problems[field] = field === 'key' ? keyProblem(draft) : missingMessages[field]
  }
  if (kind === 'machine' && lacksValues(draft.initScript)) problems.script = 'templates.plan.valuesMissing'
  if (offer.regions.length > 0 && !regionOf(draft, offer.regions)) problems.region = missingMessages.region
  const flavor = inRegion(offer.flavors, draft, offer.regions).find(({ id }) => id === draft.flavor)
  if (!flavor) problems.flavor = missingMessages.flavor
  else if (flavor.inStock === false) problems.flavor = 'creation.missing.flavorSoldOut'
  if (draft.boot === 'image' || kind === 'bare-metal') {
    const images = inRegion(offer.images, draft, offer.regions)
    if (!images.some(({ id }) => id === draft.image)) problems.image = missingMessages.image
  } else {
    const problem = volumeProblem(draft, offer, volumes)
    if (problem) problems.volume = problem
  }
  return problems
}

/** Moves a draft to another region, with the flavor and image of the same names if that region has them. */
export function withRegion(draft: MachineDraft, region: string, offer: Offer): MachineDraft {
  const moved = { ...draft, region }
  const counterpart = <Item extends { id: string; name: string; region: RegionRef }>(
    items: readonly Item[],
    id: string | null,
    fits: (item: Item) => boolean,
  ): string | null => {
    const name = items.find((item) => item.id === id)?.name
    const candidates = inRegion(items, moved, offer.regions)
    return candidates.find((item) => item.name === name && fits(item))?.id ?? null
  }
  return {
    ...moved,
    flavor: counterpart(offer.flavors, draft.flavor, ({ inStock }) => inStock !== false),
    image: counterpart(offer.images, draft.image, () => true),
    volume: '',
  }
}

/** Choice in the catalog; `region` is a regionKey. */
export interface Chosen {
  readonly region?: string | undefined
  readonly flavor?: string | undefined
  readonly image?: string | undefined
}

/** Applies a choice from the catalog; other fields stay as far as the region offers them. */
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
