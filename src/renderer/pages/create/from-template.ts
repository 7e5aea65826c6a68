import type { MachineDraft } from '#shared/bridge/creation'
import type { MachinePlan, Template } from '#shared/bridge/template'
import type { VolumeView } from '#shared/bridge/volume'
import { freeName } from '#shared/next-name'
import { regionKey } from '#shared/regions'
import { volumeName } from '../../features/volumes/volume-text'
import { fileName, type Offer } from './draft'
import { draftLike } from './similar-machine'

const noSsh = { user: null, port: null, jumpHost: null, forwardAgent: null, options: null }

/** Returns the plan of a template. Nothing is armed or allowed by it. Pure. */
const planOf = (template: Template): MachinePlan => {
  const { name, flavor, region, image, volume, key, volumes, firewall, ssh, commands, end } = template
  return {
    template: name,
    wanted: { flavor, region, image, volume, key },
    volumes,
    firewall,
    ssh,
    commands,
    end,
    isEndArmed: false,
    isSshAllowed: false,
  }
}

/** Creates a draft from a template. Offers that the account lacks stay empty, and `missingOf` names them. Pure. */
export function draftFromTemplate(
  template: Template,
  offer: Offer,
  names: ReadonlySet<string>,
): MachineDraft {
  const { machineName, flavor, region, image, volume, key, initScript } = template
  const model = {
    name: machineName,
    flavor: { name: flavor, cpu: null, ram: null, disk: null, gpu: null, gpuCount: null },
    image,
    region,
    keyName: key,
  }
  const draft = draftLike(model, offer, names)
  return {
    ...draft,
    name: freeName(machineName, names),
    boot: volume === null ? 'image' : 'volume',
    // An empty text keeps defaults from choosing another image or key.
    image: volume === null ? (draft.image ?? (image === null ? null : '')) : null,
    volume: volume ?? '',
    keyFile: draft.keyFile ?? (key === null ? null : ''),
    initScript,
    plan: planOf(template),
  }
}

/** Returns the template of a draft, with the names of its choices. Pure. */
export function templateOfDraft(draft: MachineDraft, offer: Offer): Template {
  const { plan } = draft
  const key = offer.keys.find(({ path }) => path === draft.keyFile)
  const region = offer.regions.find((each) => regionKey(each) === draft.region)
  return {
    id: crypto.randomUUID(),
    name: plan?.template ?? draft.name,
    machineName: draft.name,
    flavor: offer.flavors.find(({ id }) => id === draft.flavor)?.name ?? plan?.wanted.flavor ?? null,
    region: region ? (region.name ?? region.id) : (plan?.wanted.region ?? null),
    image:
      draft.boot === 'image'
        ? (offer.images.find(({ id }) => id === draft.image)?.name ?? plan?.wanted.image ?? null)
        : null,
    volume: draft.boot === 'volume' ? draft.volume.trim() || null : null,
    key: key ? (key.comment ?? fileName(key.path)) : (plan?.wanted.key ?? null),
    initScript: draft.initScript,
    volumes: plan?.volumes ?? [],
    firewall: plan?.firewall ?? [],
    ssh: plan?.ssh ?? noSsh,
    commands: plan?.commands ?? '',
    end: plan?.end ?? null,
  }
}

export type MissingPart = keyof MachinePlan['wanted']

/**
 * Returns the choices of a template that the account or this computer lacks, by name, until the user replaces them.
 * `volumes`: null if they are not known. Pure.
 */
export function missingOf(
  draft: MachineDraft,
  offer: Offer,
  volumes: readonly VolumeView[] | null,
): readonly { readonly part: MissingPart; readonly name: string }[] {
  const { plan } = draft
  if (!plan) return []
  const { flavor, region, image, volume, key } = plan.wanted
  const lacksVolume = volumes?.every(({ name }) => name !== draft.volume) ?? false
  const lacks: Readonly<Record<MissingPart, boolean>> = {
    flavor: draft.flavor === null,
    region: offer.regions.length > 0 && draft.region === null,
    image: draft.boot === 'image' && (draft.image ?? '') === '',
    volume: draft.boot === 'volume' && draft.volume === volume && lacksVolume,
    key: draft.key === 'file' && !offer.keys.some(({ path }) => path === draft.keyFile),
  }
  const parts: readonly (readonly [MissingPart, string | null])[] = [
    ['flavor', flavor],
    ['region', region],
    ['image', image],
    ['volume', volume],
    ['key', key],
  ]
  return parts.flatMap(([part, name]) => (name !== null && lacks[part] ? [{ part, name }] : []))
}

/** Returns whether a volume of a plan can be attached, as far as the volumes are known. Pure. */
export const isAttachable = (id: string, volumes: readonly VolumeView[]): boolean =>
  volumes.some((volume) => volume.id === id && volume.attachment.kind !== 'attached')

/** Returns the volumes that may replace one of a plan, with their names. Pure. */
export const otherVolumes = (plan: MachinePlan, volumes: readonly VolumeView[]): MachinePlan['volumes'] =>
  volumes
    .filter(({ id, bootable }) => bootable !== true && isAttachable(id, volumes))
    .filter(({ id }) => plan.volumes.every((volume) => volume.id !== id))
    .map((volume) => ({ id: volume.id, name: volumeName(volume) }))

/** Returns the choices that a template leaves to the user, or that deserve a look before a machine is created. Pure. */
export function openChoicesOf({
  boot,
  volume,
  plan,
}: MachineDraft): readonly ('image' | 'key' | 'bootVolume')[] {
  if (!plan) return []
  const { wanted } = plan
  return [
    ...(wanted.volume !== null && boot === 'volume' && volume === wanted.volume
      ? ['bootVolume' as const]
      : []),
    ...(wanted.volume === null && wanted.image === null ? ['image' as const] : []),
    ...(wanted.key === null ? ['key' as const] : []),
  ]
}
