import type { RegionRef } from '#shared/bridge/catalog'
import type { Attachment, VolumeView } from '#shared/bridge/volume'
import { isOver, type Usage } from '#shared/service/billing'
import type { Volume } from '#shared/service/volume'
import { volumeState } from '#shared/service/volume-state'
import { type Remembered, type RememberedVolume, rememberedOf, unremembered } from './remembered-volumes'
import { newView, volumeMore } from './views'

/** Seconds for which a volume that was just created may be missing from the service's lists. */
const creationWindowSeconds = 60
/** Seconds for which a status or an attachment holds that an answer reported and no list confirms. */
const reportedHolds = 60

/**
 * Longest pause in seconds between two lists for which a volume counts as seen continuously: two readings in the
 * background (volumesPollInterval). The list does not name the machine, so that after a longer pause the volume may be
 * attached to another one.
 */
const continuous = 600

export interface United {
  readonly views: ReadonlyMap<string, VolumeView>
  /** What is to be remembered from now on. */
  readonly remembered: Remembered
}

export interface Moment {
  /** Epoch seconds at which the reading began. */
  readonly started: number
  /** Seconds since the complete list before this one was requested; Infinity: there is none. */
  readonly sinceListed: number
  /** Seconds from what was done here to a volume to that moment, negative where it was done later. `at` is epoch seconds. */
  secondsBefore(id: string, what: 'attachment' | 'created' | 'reported', at: number): number
  /** Whether a volume that is not in the list is no more. */
  isGone(id: string): boolean
}

/** What the status says, together with what was done here. */
function attachmentOf(status: string | null, { attachment }: RememberedVolume): Attachment {
  switch (status?.toLowerCase()) {
    case 'available':
    case 'creating':
    case 'downloading':
      return { kind: 'detached' }
    case 'in-use':
    case 'attached':
    case 'attaching':
      return { kind: 'attached', machine: attachment?.machine ?? null }
    case 'detaching':
      return attachment && attachment.machine === null
        ? { kind: 'detached' }
        : { kind: 'attached', machine: attachment?.machine ?? null }
    default:
      return { kind: 'unknown' }
  }
}

/**
 * Returns the attachment of a volume that no list names. The last action here holds for a minute: later the volume may
 * have been attached or detached elsewhere.
 */
function attachmentDone(id: string, { attachment }: RememberedVolume, { secondsBefore }: Moment): Attachment {
  if (attachment === null) return { kind: 'unknown' }
  const { machine, at } = attachment
  const holds = secondsBefore(id, 'attachment', at) < reportedHolds
  if (holds) return machine === null ? { kind: 'detached' } : { kind: 'attached', machine }
  return machine === null ? { kind: 'unknown' } : { kind: 'unknown', lastMachine: machine }
}

const viewOfRemembered = (
  id: string,
  known: RememberedVolume,
  status: string | null,
  moment: Moment,
): VolumeView => ({
  id,
  displayName: known.displayName,
  name: known.name,
  size: known.size,
  status,
  region: known.region,
  bootable: known.bootable,
  attachment: attachmentDone(id, known, moment),
  description: known.description,
  currency: known.currency,
  createdAt: known.createdAt,
  settling: false,
  more: [],
})

const viewOfListed = (
  volume: Volume,
  known: RememberedVolume,
  regionOf: (region: string) => RegionRef,
): VolumeView => {
  const status = volume.status || null
  return {
    id: volume.id,
    displayName: volume.display_name || known.displayName,
    name: volume.name || known.name,
    size: volume.size_gb ?? known.size,
    status,
    region: volume.region ? regionOf(volume.region) : known.region,
    bootable: volume.bootable ?? known.bootable,
    attachment: attachmentOf(status, known),
    description: volume.description || known.description,
    currency: volume.payment_currency || known.currency,
    createdAt: volume.created_time || known.createdAt,
    settling: volumeState(status) === 'moving',
    more: volumeMore(volume),
  }
}

/** What was done since the reading began is not undone by what it reports. */
const doneBefore = (id: string, { attachment }: RememberedVolume, { secondsBefore }: Moment): boolean =>
  attachment !== null && secondsBefore(id, 'attachment', attachment.at) > 0

/** Drops the machine that a volume was attached to here if the volume was not seen continuously since then. */
function withSeenMachine(id: string, known: RememberedVolume, moment: Moment): RememberedVolume {
  const { attachment } = known
  if (attachment === null || attachment.machine === null) return known
  const since = Math.min(moment.sinceListed, moment.secondsBefore(id, 'attachment', attachment.at))
  return since <= continuous ? known : { ...known, attachment: null }
}

const isNew = (id: string, { createdAt }: RememberedVolume, { secondsBefore }: Moment): boolean =>
  createdAt !== null && secondsBefore(id, 'created', createdAt) < creationWindowSeconds

/**
 * The volumes where the service lists them, with what only this computer knows: the machine that one was attached to,
 * and what the list leaves out. Pure.
 */
export function uniteListed(
  listed: readonly Volume[],
  remembered: Remembered,
  regionOf: (region: string) => RegionRef,
  moment: Moment,
): United {
  const views = new Map<string, VolumeView>()
  const keep = new Map<string, RememberedVolume>()
  for (const volume of listed) {
    const stored = rememberedOf(remembered, volume.id)
    const known = stored && withSeenMachine(volume.id, stored, moment)
    const view = viewOfListed(volume, known ?? unremembered, regionOf)
    const detached = view.attachment.kind === 'detached' && known && doneBefore(volume.id, known, moment)
    views.set(volume.id, view)
    if (known) keep.set(volume.id, detached ? { ...known, attachment: null } : known)
  }
  for (const [id, known] of Object.entries(remembered)) {
    if (views.has(id) || (!isNew(id, known, moment) && moment.isGone(id))) continue
    const status = known.reported?.status ?? null
    views.set(id, {
      ...viewOfRemembered(id, known, status, moment),
      settling: volumeState(status) === 'moving',
    })
    keep.set(id, known)
  }
  return { views, remembered: Object.fromEntries(keep) }
}

/**
 * The volumes where the service does not list them: those created or attached here and those that it charges for. One
 * that was charged for and is no more is gone. A status holds for a minute after it was reported. Pure.
 */
export function unitePieces(usage: readonly Usage[], remembered: Remembered, moment: Moment): United {
  const { started, isGone, secondsBefore } = moment
  const charged = new Map(
    usage
      .filter((entry) => entry.resource.type?.toLowerCase() === 'volume' && !isOver(entry, started))
      .map((entry) => [entry.resource.id, entry] as const),
  )
  const views = new Map<string, VolumeView>()
  const keep = new Map<string, RememberedVolume>()
  for (const [id, known] of Object.entries(remembered)) {
    if (known.billed && !charged.has(id) && isGone(id)) continue
    const { reported } = known
    const holds = reported !== null && secondsBefore(id, 'reported', reported.at) < reportedHolds
    const status = holds ? reported.status : null
    views.set(id, viewOfRemembered(id, known, status, moment))
    keep.set(
      id,
      known.billed === charged.has(id) ? known : { ...known, billed: known.billed || charged.has(id) },
    )
  }
  for (const [id, { resource, created_time }] of charged) {
    const known = views.get(id)
    views.set(id, {
      ...newView(id),
      ...known,
      displayName: resource.display_name || (known?.displayName ?? null),
      name: resource.name || (known?.name ?? null),
      createdAt: created_time || (known?.createdAt ?? null),
    })
  }
  return { views, remembered: Object.fromEntries(keep) }
}
