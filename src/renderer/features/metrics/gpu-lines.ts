import { type GpuSeries, gpuSpans } from '#shared/bridge/gpu'
import type { MetricPeriod } from '#shared/bridge/metrics'
import { durationSeconds } from '#shared/service/metrics'
import type { TimeLine } from '../../components/charts/time-line'
import { t } from '../../platform/i18n'
import type { MetricChart } from './metric-lines'

export interface GpuCurves {
  /** Seconds between two points. */
  readonly step: number
  readonly gpus: readonly GpuSeries[]
}

export interface GpuMachine {
  readonly name: string
  /** Index among the compared machines, which decides the colour. */
  readonly place: number
  readonly curves: GpuCurves
}

export const gpuSeconds = (period: MetricPeriod): number =>
  period === 'all' ? gpuSpans[3] : Math.min(gpuSpans[3], durationSeconds[period])

/** Returns the mean of several GPUs at each time of a reading; NaN if no GPU has a value. */
export function meanOf(
  gpus: readonly GpuSeries[],
  key: 'utilization' | 'memory',
): Pick<TimeLine, 'times' | 'values'> {
  const sums = new Map<number, { sum: number; count: number }>()
  for (const { time, [key]: values } of gpus)
    time.forEach((at, index) => {
      const value = values[index] ?? Number.NaN
      const { sum, count } = sums.get(at) ?? { sum: 0, count: 0 }
      sums.set(at, Number.isNaN(value) ? { sum, count } : { sum: sum + value, count: count + 1 })
    })
  const times = Float64Array.from(sums.keys()).sort()
  const values = times.map((at) => {
    const { sum, count } = sums.get(at) ?? { sum: 0, count: 0 }
    return count === 0 ? Number.NaN : sum / count
  })
  return { times, values }
}

/** Returns the charts of GPUs: a line per machine, or per GPU of a single machine. */
export function gpuCharts(
  machines: readonly GpuMachine[],
  color: (place: number) => string,
  several: boolean,
): readonly MetricChart[] {
  if (machines.length === 0) return []
  const step = Math.max(...machines.map(({ curves }) => curves.step))
  const chart = (group: MetricChart['group'], key: 'utilization' | 'memory'): MetricChart => ({
    group,
    unit: '%',
    step,
    high: 100,
    lines: machines.flatMap(({ name, place, curves }): readonly TimeLine[] =>
      several
        ? [{ name, ...meanOf(curves.gpus, key), color: color(place) }]
        : curves.gpus.map((gpu, index) => ({
            name: t('gpu.history.gpu', { index: gpu.index }),
            times: gpu.time,
            values: gpu[key],
            color: color(index),
          })),
    ),
  })
  return [chart('gpu', 'utilization'), chart('gpuMemory', 'memory')]
}
