import type { ExportSource } from '#shared/bridge/export'
import type { VolumeView } from '#shared/bridge/volume'
import { momentCell, rowExport } from '../../features/export/row-export'

/** Exports the visible volumes; the columns have the service's names, and unknown values are empty. */
export const volumesExport = (rows: readonly VolumeView[]): ExportSource =>
  rowExport('volumes', rows, {
    id: ({ id }) => id,
    display_name: ({ displayName }) => displayName,
    name: ({ name }) => name,
    size_gb: ({ size }) => size,
    status: ({ status }) => status,
    bootable: ({ bootable }) => bootable,
    attachment: ({ attachment }) => attachment.kind,
    machine_id: ({ attachment }) => (attachment.kind === 'attached' ? attachment.machine : null),
    region: ({ region }) => region.name ?? region.id,
    description: ({ description }) => description,
    payment_currency: ({ currency }) => currency,
    created_time: ({ createdAt }) => momentCell(createdAt),
  })
