import type { GpuDefect, HealthView } from '#shared/bridge/gpu'
import { diskSpaceScript } from '#shared/disk-space'
import { kernelLogScript } from '#shared/kernel-log'
import { csvTable } from '../tools/csv-table'
import { nvidiaSection, numberIn, sections } from '../tools/sections'
import { shortened } from '../tools/tool-complaint'

/** Counts the cores. nproc reports the value of these variables if they are set, as many machines do. */
export const coresCommand = 'env OMP_NUM_THREADS= OMP_THREAD_LIMIT= nproc'

/** Reads the parts that every machine with Linux has, without its GPUs: for a driver that hangs. */
export const systemHealthScript = [
  'echo "== memory"; cat /proc/meminfo',
  'echo "== load"; cat /proc/loadavg',
  `echo "== cores"; ${coresCommand}`,
  `echo "== disk"; ${diskSpaceScript}`,
  'echo "== uptime"; cat /proc/uptime',
  `echo "== kernel"; ${kernelLogScript}`,
].join('\n')

/** Reads also two fields of GPUs, which only newer drivers know. */
export const healthScript = [
  systemHealthScript,
  nvidiaSection('rows', 'remapped_rows.pending'),
  nvidiaSection('recovery', 'gpu_recovery_action'),
].join('\n')

/** Space of a disk in bytes. `total`: without the blocks that are reserved for root. */
export interface DiskSpace {
  readonly mount: string
  readonly total: number
  readonly used: number
}

const kilobyte = 1_024
const maxMountLength = 80

/** Parses the output of `df -Pk` (POSIX), once for each disk: two mounts with the same figures are one disk. Pure. */
function disksIn(text: string | undefined): readonly DiskSpace[] {
  const row = /^\S.*?\s+\d+\s+(\d+)\s+(\d+)\s+\d+%\s+(\/.*)$/gm
  const disks = new Map<string, DiskSpace>()
  for (const [, usedBlocks = '', available = '', mount = ''] of (text ?? '').matchAll(row)) {
    const key = `${usedBlocks} ${available}`
    const used = Number(usedBlocks) * kilobyte
    const disk = { mount: shortened(mount, maxMountLength), used, total: used + Number(available) * kilobyte }
    if (disk.total > 0 && !disks.has(key)) disks.set(key, disk)
  }
  return [...disks.values()]
}

/** Used bytes of the disk at a time in epoch seconds. */
export interface DiskSample {
  readonly at: number
  readonly used: number
}

/** Time over which the rate of the disk is measured, and the shortest time that gives one, in seconds. */
export const rateSeconds = { most: 6 * 3_600, least: 1_200 } as const
/** Longest time until a disk is full that is reported: small growth predicts nothing about next week. */
const maxFullInSeconds = 7 * 86_400

/** Returns the seconds until the disk is full at the rate of its samples, oldest first; null if it does not fill. Pure. */
export function fullIn(samples: readonly DiskSample[], total: number): number | null {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < rateSeconds.least) return null
  const bytesPerSecond = (last.used - first.used) / (last.at - first.at)
  if (bytesPerSecond <= 0) return null
  const seconds = (total - last.used) / bytesPerSecond
  return seconds > maxFullInSeconds ? null : Math.max(0, Math.round(seconds))
}

/** Returns whether a GPU reports a value other than `harmless`. */
function hasOther(text: string | undefined, harmless: readonly string[]): boolean {
  const table = csvTable(text ?? '', ['index'])
  const isValue = (cell: string): boolean =>
    /^\w[\w ]*$/.test(cell) && !/^(?:unknown|not|gpu is) /i.test(cell)
  return (table?.rows ?? []).some(([, cell = '']) => isValue(cell) && !harmless.includes(cell))
}

/** Age in seconds up to which an Xid is reported: older ones were dealt with, or happen again. */
const xidSeconds = 86_400

/** Returns the recent Xid lines in the answer of `kernelLogScript`; null if the log can't be read. `uptime`: seconds. Pure. */
export function recentXids(kernel: string | undefined, uptime: number | null): readonly string[] | null {
  const [first, ...lines] = (kernel ?? '').split('\n').filter((line) => line !== '')
  if (first !== 'readable') return null
  const isRecent = (line: string): boolean => {
    const at = numberIn(line, /^\[ *(\d+\.\d+)\]/)
    return at === null || uptime === null || uptime - at <= xidSeconds
  }
  return lines
    .filter((line) => line.includes('NVRM: Xid') && isRecent(line))
    .map((line) => shortened(line, 200))
}

type Facts = Omit<HealthView, 'account' | 'machine' | 'at' | 'problem' | 'disk' | 'defects'> & {
  readonly disks: readonly DiskSpace[]
  readonly defects: readonly GpuDefect[]
}

/** Parses the output of `healthScript`. Pure; values that the machine does not report are null. */
export function healthFacts(output: string): Facts {
  const { others } = sections(output)
  const kilobytes = (name: string) =>
    numberIn(others.get('memory'), new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))
  const used = (total: number | null, free: number | null) =>
    total === null || free === null ? null : { total: total * 1_024, used: (total - free) * 1_024 }
  const cores = numberIn(others.get('cores'), /^(\d+)$/m)
  const load = numberIn(others.get('load'), /^([\d.]+) /m)
  const defects: GpuDefect[] = []
  if (hasOther(others.get('rows'), ['No', '0'])) defects.push('pending-remap')
  if (hasOther(others.get('recovery'), ['None'])) defects.push('recovery-action')
  const xids = recentXids(others.get('kernel'), numberIn(others.get('uptime'), /^([\d.]+) /m))
  if (xids !== null && xids.length > 0) defects.push('xid')
  return {
    xids: xids && [...xids],
    memory: used(kilobytes('MemTotal'), kilobytes('MemAvailable')),
    swap: used(kilobytes('SwapTotal'), kilobytes('SwapFree')),
    load: load === null || !cores ? null : load / cores,
    disks: disksIn(others.get('disk')),
    defects,
  }
}
