import type { GpuSeries } from '#shared/bridge/gpu'
import type { MetricPeriod } from '#shared/bridge/metrics'
import { gpuSpans } from '#shared/bridge/gpu'
import type { TimeLine } from '../../components/charts/time-line'
import { t } from '../../platform/i18n'
import type { MetricChart } from './metric-lines'

/** The GPUs of one machine over time; `step`: seconds that one point stands for. */
export interface GpuCurves {
  readonly step: number
  readonly gpus: readonly GpuSeries[]
}

/** A machine whose GPUs may be read, and its place among all that are compared: its colour. */
export interface GpuMachine {
  readonly name: string
  readonly place: number
  readonly curves: GpuCurves
}

/** Seconds of telemetry that a period asks for. */
export function gpuSeconds(period: MetricPeriod): number {
  const longest = gpuSpans[3]
  if (period === 'all') return longest
  return Math.min(longest, Number.parseInt(period, 10) * (period.endsWith('d') ? 86_400 : 3_600))
}

/** The mean of several GPUs at each time that one of them was read; NaN where none had a value. Pure. */
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

/** The charts of GPUs: one line per machine, or one per GPU where there is one machine alone. Pure. */
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
        : curves.gpus.map((gpu, at) => ({
            name: t('gpu.history.gpu', { index: gpu.index }),
            times: gpu.time,
            values: gpu[key],
            color: color(at),
          })),
    ),
  })
  return [chart('gpu', 'utilization'), chart('gpuMemory', 'memory')]
}
