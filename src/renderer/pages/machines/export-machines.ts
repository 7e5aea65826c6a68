import type { ExportSource } from '#shared/bridge/export'
import type { MachineView } from '#shared/bridge/fleet'
import type { Note } from '#shared/bridge/note'
import { momentCell, rowExport } from '../../features/export/row-export'

/** Exports the visible machines with the user's tags and notes; the columns have the service's names. */
export const machinesExport = (
  rows: readonly MachineView[],
  noteOf: (machine: string) => Note,
): ExportSource =>
  rowExport('machines', rows, {
    id: ({ id }) => id,
    name: ({ name }) => name,
    status: ({ status }) => status,
    fixed_ip: ({ address }) => address,
    username: ({ username }) => username,
    ssh_key: ({ keyName }) => keyName,
    started_time: ({ startedAt }) => momentCell(startedAt),
    flavor: ({ flavor }) => flavor.name,
    cpu: ({ flavor }) => flavor.cpu,
    ram: ({ flavor }) => flavor.ram,
    disk: ({ flavor }) => flavor.disk,
    gpu: ({ flavor }) => flavor.gpu,
    gpu_count: ({ flavor }) => flavor.gpuCount,
    image: ({ image }) => image,
    region: ({ region }) => region,
    tags: ({ id }) => noteOf(id).tags.join(' '),
    notes: ({ id }) => noteOf(id).text,
  })
