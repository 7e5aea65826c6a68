import type { ExportSource } from '#shared/bridge/export'
import type { MachineView } from '#shared/bridge/fleet'
import type { Note } from '#shared/bridge/note'
import { momentCell } from '../../features/export/moment-cell'

/** Exports the visible machines with the user's tags and notes; the columns have the service's names. */
export const machinesExport = (
  rows: readonly MachineView[],
  noteOf: (machine: string) => Note,
): ExportSource => ({
  kind: 'rows',
  name: 'machines',
  columns: [
    'id',
    'name',
    'status',
    'fixed_ip',
    'username',
    'ssh_key',
    'started_time',
    'flavor',
    'cpu',
    'ram',
    'disk',
    'gpu',
    'gpu_count',
    'image',
    'region',
    'tags',
    'notes',
  ],
  rows: rows.map(({ id, name, status, address, username, keyName, startedAt, flavor, image, region }) => {
    const { tags, text } = noteOf(id)
    return [
      id,
      name,
      status,
      address,
      username,
      keyName,
      momentCell(startedAt),
      flavor.name,
      flavor.cpu,
      flavor.ram,
      flavor.disk,
      flavor.gpu,
      flavor.gpuCount,
      image,
      region,
      tags.join(' '),
      text,
    ]
  }),
})
