import type { GpuActivity, GpuReading, Measured } from '#shared/bridge/gpu'
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
 * Power of a GPU whose memory is in use without work, as a share of its limit. Measured: 123 of 700 W (H100 and H200, also
 * with a kernel of one thread), in place of 71 W without a program. Smaller cards draw a larger share, so their activity is
 * estimated too high, never too low.
 */
const powerShareWithoutWork = 0.18

/** Estimates the activity of a GPU by its power; null without power or limit. */
export function estimatedActivity({
  power,
  powerLimit,
}: Pick<GpuReading, 'power' | 'powerLimit'>): GpuActivity | null {
  if (typeof power !== 'number' || typeof powerLimit !== 'number' || powerLimit <= 0) return null
  const idle = powerLimit * powerShareWithoutWork
  const share = (100 * (power - idle)) / (powerLimit - idle)
  return { kind: 'estimated', share: Math.round(Math.min(100, Math.max(0, share))) }
}
