import type { CommandResult } from '../ssh/client/transport'
import { amdReport } from '../gpu/tools/amd-smi'
import { csvTable } from '../gpu/tools/csv-table'
import { numberIn } from '../gpu/tools/sections'
import { shortened } from '../gpu/tools/tool-complaint'

/** Values of one GPU by the name of their field, as nvidia-smi printed them, without units. */
export type GpuFields = Readonly<Record<string, string>>

/** Values that a machine reports about itself. Bytes and seconds; null if it reported none. */
export interface Facts {
  /** Epoch seconds by the machine's own clock, and by ours when its answer arrived. */
  readonly clock: { readonly own: number; readonly ours: number } | null
  readonly cores: number | null
  readonly memoryBytes: number | null
  /** The file system of `/`, and the free bytes of the home folder. */
  readonly disk: { readonly total: number; readonly used: number; readonly freeAtHome: number } | null
  readonly gpus: readonly GpuFields[]
  /** The GPUs are AMD's: only their model and memory are read. */
  readonly isAmd: boolean
  readonly cuda: string | null
  /** Lines of `nvidia-smi nvlink -s` about links: whether each is active. */
  readonly links: readonly boolean[]
  /** Lines of the kernel about failed GPU work (Xid); null if this user may not read them. */
  readonly xids: readonly string[] | null
  /** Longest time in microseconds that heat slowed a GPU: until the first reading, and from then to the last. */
  readonly heat: { readonly before: number; readonly during: number } | null
  /** MB per second; null if not measured. */
  readonly diskSpeed: number | null
  readonly networkSpeed: number | null
  /** The disk has too little space for the test. */
  readonly isTooFull: boolean
  /** The test of the disk reached its time limit. */
  readonly isTooSlow: boolean
}

/** Joins the tables of several queries to the values of each GPU, by index. Pure. */
export function gpuFieldsOf(sections: ReadonlyMap<string, string>): readonly GpuFields[] {
  const byIndex = new Map<string, Record<string, string>>()
  for (const name of ['gpus', 'pcie', 'pcie-gpu', 'ecc', 'rows', 'recovery']) {
    const table = csvTable(sections.get(name) ?? '', ['index'])
    for (const row of table?.rows ?? []) {
      const fields = byIndex.get(row[0] ?? '') ?? {}
      byIndex.set(row[0] ?? '', fields)
      for (const [column, { name: field, unit }] of (table?.headings ?? []).entries()) {
        const cell = row[column] ?? ''
        fields[field] = shortened(
          unit !== '' && cell.endsWith(` ${unit}`) ? cell.slice(0, -unit.length - 1) : cell,
          80,
        )
      }
    }
  }
  return [...byIndex.values()]
}

/** Returns the fields of AMD's GPUs in the output of the script `amd`, by the names of nvidia-smi. Pure. */
export function amdFieldsOf(result: CommandResult): readonly GpuFields[] {
  const report = amdReport(result)
  if (report.kind !== 'gpus') return []
  return report.gpus.map(({ index, name, memoryTotal }) => ({
    index: String(index),
    name,
    driver_version: report.driver ?? '',
    'memory.total': String(memoryTotal),
  }))
}

/** Returns the longest time in microseconds that heat slowed each GPU, by its index. Pure. */
function heatByGpu(sections: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const table = csvTable(sections.get('slowed') ?? '', ['index'])
  return new Map(
    (table?.rows ?? []).flatMap((row): (readonly [string, number])[] => {
      const times = (table?.headings ?? []).flatMap(({ name }, column) => {
        const [digits] = /^\d+/.exec(row[column] ?? '') ?? []
        return name !== 'index' && digits !== undefined ? [Number(digits)] : []
      })
      return times.length === 0 ? [] : [[row[0] ?? '', Math.max(...times)]]
    }),
  )
}

/** Compares the first and the last reading of the time that heat slowed the GPUs; null if the driver counts none. Pure. */
export function heatOf(first: ReadonlyMap<string, string>, last: ReadonlyMap<string, string>): Facts['heat'] {
  const [before, after] = [heatByGpu(first), heatByGpu(last)]
  if (before.size === 0) return null
  const during = [...before].map(([gpu, time]) => Math.max(0, (after.get(gpu) ?? time) - time))
  return { before: Math.max(...before.values()), during: Math.max(...during) }
}

/** Parses `df -Pk / "$HOME"`: blocks of 1,024 bytes (POSIX). Pure. */
export function diskOf(text: string | undefined): Facts['disk'] {
  const lines = (text ?? '').split('\n').flatMap((line) => {
    const [, total, used, free] = /\s(\d+)\s+(\d+)\s+(\d+)\s+\d+%\s/.exec(line) ?? []
    return total === undefined ? [] : [{ total: Number(total), used: Number(used), free: Number(free) }]
  })
  const [root] = lines
  const home = lines.at(-1)
  return root && home
    ? { total: root.total * 1_024, used: root.used * 1_024, freeAtHome: home.free * 1_024 }
    : null
}

/** Returns the speed that dd reports, in MB (10⁶ bytes) per second. Pure. */
export function writeSpeed(output: string): number | null {
  const bytes = numberIn(output, /^(\d+) bytes/m)
  const seconds = numberIn(output, /copied, ([\d.]+) s/)
  return bytes === null || !seconds ? null : bytes / seconds / 1_000_000
}

/** Returns the facts of the scripts `system`, `gpus` and `health`. Pure. */
export function factsOf(sections: ReadonlyMap<string, string>, ours: number) {
  const own = numberIn(sections.get('time'), /^(\d+)$/m)
  const kilobytes = numberIn(sections.get('memory'), /^MemTotal:\s+(\d+) kB/m)
  const links = [...(sections.get('links') ?? '').matchAll(/^\s*Link \d+: (.*)$/gm)].map(
    ([, state = '']) => !/inactive/i.test(state),
  )
  const [, cuda = null] = /CUDA Version: ([\d.]+)/.exec(sections.get('table') ?? '') ?? []
  return {
    clock: own === null ? null : { own, ours },
    cores: numberIn(sections.get('cores'), /^(\d+)$/m),
    memoryBytes: kilobytes === null ? null : kilobytes * 1_024,
    disk: diskOf(sections.get('disk')),
    gpus: gpuFieldsOf(sections),
    cuda,
    links,
  }
}
