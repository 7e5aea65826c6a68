import type { ExportSource } from '#shared/bridge/export'
import type { VolumeView } from '#shared/bridge/volume'
import { momentCell } from '../../features/export/moment-cell'

/** Exports the visible volumes; the columns have the service's names, and unknown values are empty. */
export const volumesExport = (rows: readonly VolumeView[]): ExportSource => ({
  kind: 'rows',
  name: 'volumes',
  columns: [
    'id',
    'display_name',
    'name',
    'size_gb',
    'status',
    'bootable',
    'attachment',
    'machine_id',
    'region',
    'description',
    'payment_currency',
    'created_time',
  ],
  rows: rows.map((volume) => [
    volume.id,
    volume.displayName,
    volume.name,
    volume.size,
    volume.status,
    volume.bootable,
    volume.attachment.kind,
    volume.attachment.kind === 'attached' ? volume.attachment.machine : null,
    volume.region.name ?? volume.region.id,
    volume.description,
    volume.currency,
    momentCell(volume.createdAt),
  ]),
})
