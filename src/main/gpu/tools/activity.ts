import type { GpuActivity, GpuReading, Measured } from '#shared/bridge/gpu'
import { highestUtilization } from '#shared/gpu-load'
import { type MonitorRow, monitorRows, percentIn } from './monitor-table'

const measured = (row: MonitorRow, column: string): Measured => percentIn(row, column) ?? 'not-available'

/**
 * Parses the output of `nvidia-smi dmon --gpm-metrics 2,5,10`: the last line of each GPU that has values, by its index. The
 * first two lines have none, and GPUs before Hopper never have any. Pure, never throws.
 */
export function measuredActivity(text: string): ReadonlyMap<number, GpuActivity> {
  const rows = monitorRows(text).flatMap((row): (readonly [number, GpuActivity])[] => {
    const index = row.get('gpu') ?? ''
    if (!/^\d{1,3}$/.test(index) || percentIn(row, 'smutil') === undefined) return []
    return [
      [
        Number(index),
        {
          kind: 'measured',
          sm: measured(row, 'smutil'),
          tensor: measured(row, 'mmaact'),
          memory: measured(row, 'dram'),
          encoder: measured(row, 'enc'),
          decoder: measured(row, 'dec'),
        },
      ],
    ]
  })
  return new Map(rows)
}

/**
 * Returns the lowest power in watts at which stored samples saw each GPU without work, by its id; undefined while the store
 * cannot answer.
 */
export type StoredIdlePower = () => ReadonlyMap<string, number> | undefined

/** Estimates the activity of a machine's GPUs by their power above the lowest power of each GPU without work. */
export function createEstimates(stored: StoredIdlePower = () => new Map()) {
  const lowest = new Map<string, number>()
  let hasStored = false

  function add(id: string, power: number): void {
    lowest.set(id, Math.min(power, lowest.get(id) ?? Infinity))
  }
  function addStored(): void {
    const powers = hasStored ? undefined : stored()
    hasStored ||= powers !== undefined
    powers?.forEach((power, id) => add(id, power))
  }

  return {
    /** Learns the power of GPUs without work. */
    learn(gpus: readonly GpuReading[]): void {
      for (const gpu of gpus)
        if (highestUtilization(gpu) === 0 && typeof gpu.power === 'number') add(gpu.id, gpu.power)
    },
    /** Returns the lowest power without work; undefined if the GPU was never seen without work. */
    idlePower(id: string): number | undefined {
      addStored()
      return lowest.get(id)
    },
    /** Returns an estimate; null for a GPU without power or limit, or that was never seen without work. */
    of({ id, power, powerLimit }: Pick<GpuReading, 'id' | 'power' | 'powerLimit'>): GpuActivity | null {
      addStored()
      const idle = lowest.get(id)
      if (idle === undefined || typeof power !== 'number' || typeof powerLimit !== 'number') return null
      if (powerLimit <= idle) return null
      const share = (100 * (power - idle)) / (powerLimit - idle)
      return { kind: 'estimated', share: Math.round(Math.min(100, Math.max(0, share))) }
    },
  }
}
export type Estimates = ReturnType<typeof createEstimates>
