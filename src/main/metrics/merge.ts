import { eachSeries, metricKeys, type MetricSeries } from '#shared/bridge/metrics'
import { gapSteps, type Recorded, usualStep } from './clean'
import { joined } from '#shared/joined'
import { firstAt } from '#shared/metrics/thin'

/** Returns a NaN point if there is a gap between two series; otherwise an empty series. */
function seam(known: MetricSeries, newer: MetricSeries): MetricSeries {
  const step = usualStep(known.times) ?? usualStep(newer.times)
  const last = known.times.at(-1)
  const next = newer.times[0]
  const isGap = step !== null && last !== undefined && next !== undefined && next - last > step * gapSteps
  return isGap
    ? { times: Float64Array.of(last + step), values: Float64Array.of(Number.NaN) }
    : { times: new Float64Array(), values: new Float64Array() }
}

/** Joins two series and drops points before `keptFrom`. The newer series counts if both overlap. */
function mergedSeries(known: MetricSeries, newer: MetricSeries, keptFrom: number): MetricSeries {
  const begin = firstAt(known.times, keptFrom)
  const next = newer.times[0]
  const end = Math.max(begin, next === undefined ? known.times.length : firstAt(known.times, next))
  const retained = { times: known.times.subarray(begin, end), values: known.values.subarray(begin, end) }
  const gap = seam(retained, newer)
  return {
    times: joined(Float64Array, [retained.times, gap.times, newer.times]),
    values: joined(Float64Array, [retained.values, gap.values, newer.values]),
  }
}

/** Joins two answers about one machine and drops points before `keptFrom` (epoch seconds). Pure. */
export function merged(known: Recorded, newer: Recorded, keptFrom: number): Recorded {
  const { cpu, memory, disk, network } = known.units
  return {
    units: {
      cpu: newer.units.cpu ?? cpu,
      memory: newer.units.memory ?? memory,
      disk: newer.units.disk ?? disk,
      network: newer.units.network ?? network,
    },
    series: eachSeries((key) => mergedSeries(known.series[key], newer.series[key], keptFrom)),
    // Overlapping entries were counted in both, and the number only shows that there are some.
    unusable: Math.max(known.unusable, newer.unusable),
    step: known.step ?? newer.step,
  }
}

export const sizeOf = ({ series }: Recorded): number =>
  metricKeys.reduce((sum, key) => sum + series[key].times.byteLength + series[key].values.byteLength, 0)
