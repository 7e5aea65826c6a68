import type { RegionRef } from '#shared/bridge/catalog'
import type { Attachment, VolumeView } from '#shared/bridge/volume'
import { isOver, type Usage } from '#shared/service/billing'
import type { Volume } from '#shared/service/volume'
import { volumeState } from '#shared/service/volume-state'
import { type Remembered, type RememberedVolume, rememberedOf, unremembered } from './remembered-volumes'
import { newView, volumeMore } from './views'

/** Time for which a new volume may be missing in the service's lists. */
const creationWindowSeconds = 60
/** Time for which a status or an attachment from an answer holds without confirmation by a list. */
const reportedHoldSeconds = 60

/**
 * Longest gap between two lists in which a volume counts as observed: two background readings (volumesPollInterval). The
 * list does not name the machine, so after a longer gap the volume may be attached to another one.
 */
const maxGapSeconds = 600

export interface United {
  readonly views: ReadonlyMap<string, VolumeView>
  readonly remembered: Remembered
}

export interface Moment {
  /** Start of the reading in epoch seconds. */
  readonly started: number
  /** Seconds since the start of the previous complete list; Infinity if there is none. */
  readonly sinceListed: number
  /** Returns the seconds from an action on a volume to the start; negative if it came later. `at`: epoch seconds. */
  secondsBefore(id: string, what: 'attachment' | 'created' | 'reported', at: number): number
  isGone(id: string): boolean
  /** Returns the attachment that the previous reading showed. */
  attachmentBefore(id: string): Attachment | undefined
}

/** Returns the attachment of a volume in use. `before`: as shown by the previous reading. */
function attachedTo(
  { attachment }: RememberedVolume,
  before: Attachment | undefined,
): Extract<Attachment, { kind: 'attached' }> {
  const machine = attachment?.machine ?? null
  if (attachment !== null && machine !== null)
    return attachment.isLost
      ? { kind: 'attached', machine: null, lastMachine: machine }
      : { kind: 'attached', machine }
  const isOutside =
    before?.kind === 'detached' ? attachment === null : before?.kind === 'attached' && before.outside === true
  return { kind: 'attached', machine: null, ...(isOutside && { outside: true }) }
}

function attachmentOf(
  status: string | null,
  known: RememberedVolume,
  before: Attachment | undefined,
): Attachment {
  switch (status?.toLowerCase()) {
    case 'available':
    case 'creating':
    case 'downloading':
      return { kind: 'detached' }
    case 'in-use':
    case 'attached':
    case 'attaching':
      return attachedTo(known, before)
    case 'detaching':
      return known.attachment?.machine === null ? { kind: 'detached' } : attachedTo(known, before)
    default:
      return { kind: 'unknown' }
  }
}

/** Returns the attachment of an unlisted volume. The last action here holds for a minute: later it may have changed. */
function attachmentDone(id: string, { attachment }: RememberedVolume, { secondsBefore }: Moment): Attachment {
  if (attachment === null) return { kind: 'unknown' }
  const { machine, at, isLost } = attachment
  const holds = !isLost && secondsBefore(id, 'attachment', at) < reportedHoldSeconds
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
  before: Attachment | undefined,
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
    attachment: attachmentOf(status, known, before),
    description: volume.description || known.description,
    currency: volume.payment_currency || known.currency,
    createdAt: volume.created_time || known.createdAt,
    settling: volumeState(status) === 'moving',
    more: volumeMore(volume),
  }
}

/** Whether the last action on the attachment came before the reading, which may then contradict it. */
const doneBefore = (id: string, { attachment }: RememberedVolume, { secondsBefore }: Moment): boolean =>
  attachment !== null && secondsBefore(id, 'attachment', attachment.at) > 0

/** Marks the machine of an attachment made here as lost if the volume was not observed without a gap since then. */
function withSeenMachine(id: string, known: RememberedVolume, moment: Moment): RememberedVolume {
  const { attachment } = known
  if (attachment === null || attachment.machine === null || attachment.isLost) return known
  const since = Math.min(moment.sinceListed, moment.secondsBefore(id, 'attachment', attachment.at))
  return since <= maxGapSeconds ? known : { ...known, attachment: { ...attachment, isLost: true } }
}

const isNew = (id: string, { createdAt }: RememberedVolume, { secondsBefore }: Moment): boolean =>
  createdAt !== null && secondsBefore(id, 'created', createdAt) < creationWindowSeconds

/**
 * Merges the service's list with facts that only this computer has: the machine of an attachment, and unlisted fields.
 * Pure.
 */
export function uniteListed(
  listed: readonly Volume[],
  remembered: Remembered,
  regionOf: (region: string) => RegionRef,
  moment: Moment,
): United {
  const views = new Map<string, VolumeView>()
  const nextRemembered = new Map<string, RememberedVolume>()
  for (const volume of listed) {
    const stored = rememberedOf(remembered, volume.id)
    const known = stored && withSeenMachine(volume.id, stored, moment)
    const view = viewOfListed(volume, known ?? unremembered, regionOf, moment.attachmentBefore(volume.id))
    const detached = view.attachment.kind === 'detached' && known && doneBefore(volume.id, known, moment)
    views.set(volume.id, view)
    if (known) nextRemembered.set(volume.id, detached ? { ...known, attachment: null } : known)
  }
  for (const [id, known] of Object.entries(remembered)) {
    if (views.has(id) || (!isNew(id, known, moment) && moment.isGone(id))) continue
    const status = known.reported?.status ?? null
    views.set(id, {
      ...viewOfRemembered(id, known, status, moment),
      settling: volumeState(status) === 'moving',
    })
    nextRemembered.set(id, known)
  }
  return { views, remembered: Object.fromEntries(nextRemembered) }
}

/**
 * Merges usage and remembered volumes if the service has no list. A volume that was charged for and no longer is, is
 * gone. A reported status holds for a minute. Pure.
 */
export function unitePieces(usage: readonly Usage[], remembered: Remembered, moment: Moment): United {
  const { started, isGone, secondsBefore } = moment
  const charged = new Map(
    usage
      .filter((entry) => entry.resource.type?.toLowerCase() === 'volume' && !isOver(entry, started))
      .map((entry) => [entry.resource.id, entry] as const),
  )
  const views = new Map<string, VolumeView>()
  const nextRemembered = new Map<string, RememberedVolume>()
  for (const [id, known] of Object.entries(remembered)) {
    if (known.billed && !charged.has(id) && isGone(id)) continue
    const { reported } = known
    const holds = reported !== null && secondsBefore(id, 'reported', reported.at) < reportedHoldSeconds
    const status = holds ? reported.status : null
    views.set(id, viewOfRemembered(id, known, status, moment))
    nextRemembered.set(
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
  return { views, remembered: Object.fromEntries(nextRemembered) }
}
