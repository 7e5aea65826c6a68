import type { ExtraField } from '#shared/bridge/fleet'
import type { Attachment, VolumeView } from '#shared/bridge/volume'
import type { Volume } from '#shared/service/volume'
import { undescribedFields, revealedField, shownFields } from '../core/extra-fields'

const described = [
  'id',
  'display_name',
  'name',
  'size_gb',
  'status',
  'description',
  'payment_currency',
  'bootable',
  'region',
  'created_time',
] as const

/** Returns the fields outside the specification; possible secrets are masked. */
export const volumeMore = (volume: Volume): ExtraField[] => shownFields(undescribedFields(volume, described))

/** Returns the plain text of such a field. Fails with invalid-input (secret). */
export const volumeField = (volume: Volume | undefined, path: string): string =>
  revealedField(undescribedFields(volume, described), path)

/** Resets status and attachment of a volume that the service no longer lists. */
export function unobserved(view: VolumeView): VolumeView {
  const { attachment } = view
  const lastMachine =
    attachment.kind === 'attached' ? (attachment.machine ?? attachment.lastMachine) : undefined
  const unknown: Attachment = { kind: 'unknown', ...(lastMachine !== undefined && { lastMachine }) }
  return {
    ...view,
    status: null,
    settling: false,
    attachment: attachment.kind === 'unknown' ? attachment : unknown,
  }
}

export const newView = (id: string): VolumeView => ({
  id,
  displayName: null,
  name: null,
  size: null,
  status: null,
  region: { id: null, name: null },
  bootable: null,
  attachment: { kind: 'unknown' },
  description: null,
  currency: null,
  createdAt: null,
  settling: false,
  more: [],
})
