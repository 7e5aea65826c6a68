import type { GpuGroup, GpuSorting } from '#shared/bridge/app'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import type { IdleGpu } from '#shared/bridge/idle'
import { rotatedMaxAgeSeconds } from '#shared/gpu-load'
import { type Money, sumByCurrency, timesMoney } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import { rowModel, type RowModel } from '../../components/rows'
import { errorCount, gpuUse, type GpuUse, gpuUses, isHot } from '../../features/gpu/gpu-use'
import { memoryShare } from '../../features/gpu/gpu-text'
import { statusText } from '../../features/machine-text'

/** Why a GPU has no current reading: its driver failed, its reading is old, or it was never read. */
type UnreadReason = 'problem' | 'stale' | 'not-read'

/** One GPU of the account. */
export interface GpuTile {
  readonly id: string
  readonly machine: MachineView
  readonly isBareMetal: boolean
  /** Last known view of its machine; null before the first one. */
  readonly view: GpuView | null
  /** Null: never read, so that only the flavor names the GPU. */
  readonly gpu: GpuReading | null
  readonly index: number
  readonly use: GpuUse
  readonly unread: UnreadReason | null
  readonly hot: boolean
  readonly errors: number
  /** Its share of the machine's charge, in each currency; empty: unknown. */
  readonly perHour: readonly Money[]
}

export interface GpuMachine {
  readonly machine: MachineView
  readonly isBareMetal: boolean
  readonly view: GpuView | null
  /** GPUs that are known to be unused, by their index. */
  readonly unused: ReadonlyMap<number, Pick<IdleGpu, 'use'>>
  readonly perHour: readonly Money[]
  /** Machines are read in turns. */
  readonly isRotated: boolean
}

/** Age in seconds up to which a reading describes the present: several background readings. */
const maxAgeSeconds = 300
const problems: readonly string[] = ['no-driver', 'driver-mismatch', 'no-gpus', 'gpu-lost', 'no-answer']

/** Returns the GPUs of a machine by its last reading, otherwise by its flavor, with their use. Pure. */
export function tilesOf(
  { machine, isBareMetal, view, unused, perHour, isRotated }: GpuMachine,
  threshold: number,
  now: number,
): readonly GpuTile[] {
  const { gpu: model, gpuCount } = machine.flavor
  const report = view?.report ?? null
  const gpus = report?.kind === 'gpus' ? report.gpus : []
  const expected = gpuCount ?? (model === null ? 0 : 1)
  const count = gpus.length > 0 ? gpus.length : Math.ceil(expected)
  const isOff = ['stopped', 'failed'].includes(machineState(machine.status))
  const isOld = (view?.at ?? -Infinity) < now - (isRotated ? rotatedMaxAgeSeconds : maxAgeSeconds)
  const isBroken = !isOff && report !== null && problems.includes(report.kind)
  const unread: UnreadReason | null = isBroken
    ? 'problem'
    : gpus.length === 0
      ? 'not-read'
      : isOld
        ? 'stale'
        : null
  return Array.from({ length: count }, (_, position): GpuTile => {
    const gpu = gpus[position] ?? null
    const current = gpu && unread === null ? gpu : null
    const index = gpu?.index ?? position
    const verdict = isBroken ? null : (unused.get(index)?.use ?? null)
    return {
      id: `${machine.id}/${gpu?.id ?? String(position)}`,
      machine,
      isBareMetal,
      view,
      gpu,
      index,
      use: isOff ? 'off' : gpuUse(current, verdict, threshold),
      unread,
      hot: current !== null && !isOff && isHot(current),
      errors: isBroken ? 1 : current && !isOff ? errorCount(current) : 0,
      perHour: perHour.map((money) => timesMoney(money, 1, count)),
    }
  })
}

/** Whether a GPU belongs to a filter. Pure. */
export function isInGroup({ use, hot, errors }: GpuTile, group: GpuGroup): boolean {
  if (group === 'hot') return hot
  return group === 'errors' ? errors > 0 : use === group
}

const known = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function valueOf(tile: GpuTile, key: GpuSorting) {
  const { gpu, errors, perHour, machine, index } = tile
  switch (key) {
    case 'machine':
      return [machine.name, machine.id, index]
    case 'work':
      return tile.use === 'off' || tile.unread ? null : known(gpu?.utilization)
    case 'memory':
      return tile.use === 'off' || tile.unread || !gpu ? null : memoryShare(gpu)
    case 'power':
      return tile.use === 'off' || tile.unread ? null : known(gpu?.power)
    case 'temperature':
      return tile.use === 'off' || tile.unread ? null : known(gpu?.temperature)
    case 'errors':
      return errors
    case 'cost': {
      const [first] = perHour
      return first ? [first.currency, first.millionths] : null
    }
  }
}

export const gpuRows: RowModel<GpuTile, GpuSorting> = rowModel<GpuTile, GpuSorting>({
  valueOf,
  nameOf: ({ machine }) => machine.name,
  texts: ({ machine, gpu }) => [
    machine.name,
    gpu?.name ?? null,
    machine.flavor.gpu,
    machine.flavor.name,
    machine.region,
    machine.address,
    statusText(machine.status),
    machine.id,
  ],
})

export interface GpuTotal {
  readonly use: GpuUse
  readonly count: number
  readonly perHour: readonly Money[]
}

/** Uses whose total is shown even without GPUs. */
const shownUses: readonly GpuUse[] = ['working', 'idle', 'held', 'unchecked']

/** Sums the GPUs and their money by use. Pure. */
export function totalsOf(tiles: readonly GpuTile[]): readonly GpuTotal[] {
  return gpuUses.flatMap((use) => {
    const own = tiles.filter((tile) => tile.use === use)
    if (own.length === 0 && !shownUses.includes(use)) return []
    return [{ use, count: own.length, perHour: sumByCurrency(own.flatMap(({ perHour }) => perHour)) }]
  })
}
