import { z } from 'zod'
import { Failure } from '../failure'
import { NewVolume, VolumeAttachment } from '../service/volume'
import { AccountId } from './account'
import { RegionRef } from './catalog'
import { call } from './define'
import { ActionOutcome, LookUp } from './machine-action'
import { ExtraField } from './fleet'
import { listChange, listRevision, ListStatus, UnreadableRecords } from './listing'

/**
 * Whether a volume is attached. The service does not report to which machine: known only of volumes that were attached
 * here and observed since. `lastMachine`: the machine that an unobserved volume was last attached to here.
 */
export const Attachment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('attached'), machine: z.string().nullable() }),
  z.object({ kind: z.literal('detached') }),
  z.object({ kind: z.literal('unknown'), lastMachine: z.string().optional() }),
])
export type Attachment = z.infer<typeof Attachment>

/** A volume as far as it is known; null is unknown. `size` is GB, times are epoch seconds. */
export const VolumeView = z.object({
  id: z.string(),
  displayName: z.string().nullable(),
  /** The generated one, by which a machine boots from it. */
  name: z.string().nullable(),
  size: z.number().nullable(),
  /** As the service says it; values never seen before are shown as they are. */
  status: z.string().nullable(),
  region: RegionRef,
  bootable: z.boolean().nullable(),
  attachment: Attachment,
  description: z.string().nullable(),
  currency: z.string().nullable(),
  createdAt: z.number().nullable(),
  /** Its state is changing, and the service reports when that is over. */
  settling: z.boolean(),
  more: z.array(ExtraField),
})
export type VolumeView = z.infer<typeof VolumeView>

export const VolumesStatus = ListStatus.extend({
  /** The service lists its volumes; false: they are put together from what is known; null: not asked yet. */
  listed: z.boolean().nullable(),
})
export type VolumesStatus = z.infer<typeof VolumesStatus>

export const VolumesSnapshot = listRevision(VolumesStatus).extend({ volumes: z.array(VolumeView) })
export type VolumesSnapshot = z.infer<typeof VolumesSnapshot>

export const VolumesChange = listChange(VolumeView, VolumesStatus)
export type VolumesChange = z.infer<typeof VolumesChange>

/** Kinds of volumes in one region: reported by the service, or typed once and remembered (then the name is the id). */
export const VolumeTypes = z.object({
  offered: z.boolean(),
  items: z.array(z.object({ id: z.string(), name: z.string() })),
  unreadable: UnreadableRecords.optional(),
})
export type VolumeTypes = z.infer<typeof VolumeTypes>

/**
 * The outcome of a creation that was sent: the service answered (`created`), or no answer came and a new volume of that
 * name exists (`found`) or does not so far (`unknown`, with why no answer came).
 */
export const VolumeCreation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), volume: z.string() }),
  z.object({ kind: z.literal('found'), volume: z.string() }),
  z.object({ kind: z.literal('unknown'), failure: Failure }),
])
export type VolumeCreation = z.infer<typeof VolumeCreation>

/** A creation that was sent, once, and whose outcome is open. `sentAt` is epoch seconds. */
export const PendingVolume = z.object({
  id: z.string(),
  /** Identifies the form that it was sent from. */
  request: z.string(),
  account: AccountId,
  name: z.string(),
  /** The id of its region. */
  region: z.string(),
  /** GB */
  size: z.number(),
  sentAt: z.number(),
  /** It is being sent, or no answer came. */
  state: z.enum(['sending', 'unknown']),
  /** Why no answer came; null while one may still come, or where the application ended before. */
  cause: Failure.nullable(),
})
export type PendingVolume = z.infer<typeof PendingVolume>

const Id = z.string().min(1)
const OneAccount = z.object({ account: AccountId })
const OneAttachment = OneAccount.extend({ machine: Id, volumes: VolumeAttachment.shape.volume_ids })

export const volumeCalls = {
  'volumes.snapshot': call(OneAccount, VolumesSnapshot),
  /** Reads the service now instead of at the next poll. */
  'volumes.refresh': call(OneAccount, z.void()),
  /** `region` is an id. */
  'volumes.types': call(OneAccount.extend({ region: Id }), VolumeTypes),
  /**
   * Sent once. `request` names the form; `regionName` is remembered with the volume; `again`: ids of the
   * earlierVolumes (shared/earlier-creations.ts) beside which the person said yes to sending it. Fails as the client does
   * where nothing was created for certain, and with invalid-input (volume.display_name: outcome-open while there are
   * others).
   */
  'volumes.create': call(
    OneAccount.extend({
      request: z.uuid(),
      again: z.array(z.string()),
      volume: NewVolume,
      regionName: z.string().nullable(),
    }),
    VolumeCreation,
  ),
  /** Creations whose outcome is open, also those of earlier runs. `names` as for creation.list. */
  'volumes.pendingCreations': call(
    OneAccount.extend({ names: z.array(z.string()).optional() }),
    z.array(PendingVolume),
  ),
  /** The person has looked for it elsewhere. One that is being sent stays. */
  'volumes.dismiss': call(OneAccount.extend({ creation: Id }), z.void()),
  /** All of them or none, as the service decides. Sent once. Fails as the client does where it was not done for certain. */
  'volumes.attach': call(OneAttachment, ActionOutcome),
  /** Of any volume whose id is known, listed or not. Sent once. Fails as volumes.attach. */
  'volumes.detach': call(OneAccount.extend({ machine: Id, volume: Id }), ActionOutcome),
  /**
   * Whether volumes are attached or detached after the answer was lost: read several times before they are not, and
   * unknown where the service does not list its volumes.
   */
  'volumes.lookUp': call(OneAttachment.extend({ wanted: z.enum(['attached', 'detached']) }), LookUp),
  /**
   * Cannot be undone. `name` is the volume's, else its id, as the person typed it; `detachFrom`: the machine that it is
   * detached from before. Sent once. Fails with invalid-input (name), as the client does, and with not-offered-by-service.
   */
  'volumes.delete': call(
    OneAccount.extend({ volume: Id, name: z.string(), detachFrom: Id.optional() }),
    ActionOutcome,
  ),
} as const

export const volumeEvents = {
  'volumes.changed': VolumesChange,
  /** `found` are volumes that turned out to be what was created, with the form that each was sent from. */
  'volumes.pendingCreationsChanged': z.object({
    account: AccountId,
    pending: z.array(PendingVolume),
    found: z.array(z.object({ id: z.string(), name: z.string(), request: PendingVolume.shape.request })),
  }),
} as const
