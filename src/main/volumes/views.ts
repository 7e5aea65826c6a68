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

/** What the service reports of a volume outside its specification; what may be secret is masked. */
export const volumeMore = (volume: Volume): ExtraField[] => shownFields(undescribedFields(volume, described))

/** The plain text of one of them. Fails with invalid-input (secret). */
export const volumeField = (volume: Volume | undefined, path: string): string =>
  revealedField(undescribedFields(volume, described), path)

/** Returns a volume that the service listed earlier and lists no longer: its status and attachment are unknown. */
export function unobserved(view: VolumeView): VolumeView {
  const { attachment } = view
  const lastMachine = attachment.kind === 'attached' ? attachment.machine : null
  const unknown: Attachment = { kind: 'unknown', ...(lastMachine !== null && { lastMachine }) }
  return {
    ...view,
    status: null,
    settling: false,
    attachment: attachment.kind === 'unknown' ? attachment : unknown,
  }
}

/** A volume of which only its id is known. */
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
