import { z } from 'zod'
import { Failure } from '../failure'
import { NewVolume, VolumeAttachment } from '../service/volume'
import { AccountId, OneAccount } from './account'
import { RegionRef } from './catalog'
import { call, variant } from './define'
import { ActionOutcome, LookUp } from './machine-action'
import { ExtraField } from './fleet'
import { listChange, listRevision, ListStatus, UnreadableRecords } from './listing'

/**
 * Attachment of a volume. The service does not report the machine, so it is known only for volumes that were attached
 * here and observed since. `lastMachine`: the last machine that an unobserved volume was attached to here. `outside`:
 * the volume was seen detached, and then attached without an action here.
 */
export const Attachment = z.discriminatedUnion('kind', [
  variant('attached', {
    machine: z.string().nullable(),
    lastMachine: z.string().optional(),
    outside: z.literal(true).optional(),
  }),
  variant('detached', {}),
  variant('unknown', { lastMachine: z.string().optional() }),
])
export type Attachment = z.infer<typeof Attachment>

/** A volume; null is unknown. `size` is GB, times are epoch seconds. */
export const VolumeView = z.object({
  id: z.string(),
  displayName: z.string().nullable(),
  /** Generated name, by which a machine boots from it. */
  name: z.string().nullable(),
  size: z.number().nullable(),
  status: z.string().nullable(),
  region: RegionRef,
  bootable: z.boolean().nullable(),
  attachment: Attachment,
  description: z.string().nullable(),
  currency: z.string().nullable(),
  createdAt: z.number().nullable(),
  /** Whether its state is changing in a way whose end the service reports. */
  settling: z.boolean(),
  more: z.array(ExtraField),
})
export type VolumeView = z.infer<typeof VolumeView>

export const VolumesStatus = ListStatus.extend({
  /** True: the service lists its volumes. False: they are collected from other data. Null: not read yet. */
  listed: z.boolean().nullable(),
})
export type VolumesStatus = z.infer<typeof VolumesStatus>

export const VolumesSnapshot = listRevision(VolumesStatus).extend({ volumes: z.array(VolumeView) })
export type VolumesSnapshot = z.infer<typeof VolumesSnapshot>

export const VolumesChange = listChange(VolumeView, VolumesStatus)
export type VolumesChange = z.infer<typeof VolumesChange>

/** Volume types of a region: reported by the service, or typed once and remembered (then the name is the id). */
export const VolumeTypes = z.object({
  offered: z.boolean(),
  items: z.array(z.object({ id: z.string(), name: z.string() })),
  unreadable: UnreadableRecords.optional(),
})
export type VolumeTypes = z.infer<typeof VolumeTypes>

/**
 * Outcome of a creation: the service answered (`created`), or a new volume of that name exists (`found`) or does not
 * so far (`unknown`, with the reason for the missing answer).
 */
export const VolumeCreation = z.discriminatedUnion('kind', [
  variant('created', { volume: z.string() }),
  variant('found', { volume: z.string() }),
  variant('unknown', { failure: Failure }),
])
export type VolumeCreation = z.infer<typeof VolumeCreation>

/** A creation, sent once, whose outcome is open. `sentAt` is epoch seconds. */
export const PendingVolume = z.object({
  id: z.string(),
  request: z.string(),
  account: AccountId,
  name: z.string(),
  region: z.string(),
  /** GB */
  size: z.number(),
  sentAt: z.number(),
  /** `unknown`: no answer came. */
  state: z.enum(['sending', 'unknown']),
  /** Why no answer came; null while one may still come, or if the application quit before. */
  cause: Failure.nullable(),
})
export type PendingVolume = z.infer<typeof PendingVolume>

const Id = z.string().min(1)
const OneAttachment = OneAccount.extend({ machine: Id, volumes: VolumeAttachment.shape.volume_ids })

export const volumeCalls = {
  'volumes.snapshot': call(OneAccount, VolumesSnapshot),
  'volumes.refresh': call(OneAccount, z.void()),
  'volumes.types': call(OneAccount.extend({ region: Id }), VolumeTypes),
  /**
   * Sent once. `request` identifies the form; `regionName` is remembered with the volume; `again`: ids of the
   * earlierVolumes (shared/earlier-creations.ts) that the user confirmed. Fails as the client does if nothing was
   * created for certain, and with invalid-input (volume.display_name: outcome-open while others are open).
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
  /** Creations with an open outcome, also from earlier runs. `names`: as in creation.list. */
  'volumes.pendingCreations': call(
    OneAccount.extend({ names: z.array(z.string()).optional() }),
    z.array(PendingVolume),
  ),
  /** Removes a pending creation from the list. Ignored while it is being sent. */
  'volumes.dismiss': call(OneAccount.extend({ creation: Id }), z.void()),
  /** The service attaches all or none. Sent once. Fails as the client does if nothing was attached for certain. */
  'volumes.attach': call(OneAttachment, ActionOutcome),
  /** Detaches any volume whose id is known. Sent once. Fails as volumes.attach. */
  'volumes.detach': call(OneAccount.extend({ machine: Id, volume: Id }), ActionOutcome),
  /** Checks an attachment whose answer was lost. Unknown if the service does not list volumes. */
  'volumes.lookUp': call(OneAttachment.extend({ wanted: z.enum(['attached', 'detached']) }), LookUp),
  /**
   * Cannot be undone. `name`: the volume's name, else its id, as typed by the user. `detachFrom`: machine to detach
   * it from first. Sent once. Fails with invalid-input (name), as the client does, and with not-offered-by-service.
   */
  'volumes.delete': call(
    OneAccount.extend({ volume: Id, name: z.string(), detachFrom: Id.optional() }),
    ActionOutcome,
  ),
} as const

export const volumeEvents = {
  'volumes.changed': VolumesChange,
  /** `found`: volumes identified as results of creations, with the form of each. */
  'volumes.pendingCreationsChanged': z.object({
    account: AccountId,
    pending: z.array(PendingVolume),
    found: z.array(z.object({ id: z.string(), name: z.string(), request: PendingVolume.shape.request })),
  }),
} as const
