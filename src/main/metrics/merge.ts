import { eachSeries, metricKeys, type MetricSeries } from '#shared/bridge/metrics'
import { gapSteps, type Recorded, usualStep } from './clean'
import { joined } from '#shared/joined'
import { firstAt } from '#shared/metrics/thin'

/** What marks that nothing was measured between two series; nothing where one begins as soon as the other ends. */
function seam(known: MetricSeries, newer: MetricSeries): MetricSeries {
  const step = usualStep(known.times) ?? usualStep(newer.times)
  const last = known.times.at(-1)
  const next = newer.times[0]
  const isGap = step !== null && last !== undefined && next !== undefined && next - last > step * gapSteps
  return isGap
    ? { times: Float64Array.of(last + step), values: Float64Array.of(Number.NaN) }
    : { times: new Float64Array(), values: new Float64Array() }
}

/** What was known, from `keptFrom` on, continued by what was asked since: where both speak of a time, the newer one holds. */
function mergedSeries(known: MetricSeries, newer: MetricSeries, keptFrom: number): MetricSeries {
  const begin = firstAt(known.times, keptFrom)
  const next = newer.times[0]
  const end = Math.max(begin, next === undefined ? known.times.length : firstAt(known.times, next))
  const kept = { times: known.times.subarray(begin, end), values: known.values.subarray(begin, end) }
  const gap = seam(kept, newer)
  return {
    times: joined(Float64Array, [kept.times, gap.times, newer.times]),
    values: joined(Float64Array, [kept.values, gap.values, newer.values]),
  }
}

/** Two answers about one machine as one, from `keptFrom` (epoch seconds) on. Pure. */
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
    // What is counted twice here was asked twice: it only says whether there is anything to show.
    unusable: Math.max(known.unusable, newer.unusable),
    step: known.step ?? newer.step,
  }
}

/** Bytes that it takes. */
export const sizeOf = ({ series }: Recorded): number =>
  metricKeys.reduce((sum, key) => sum + series[key].times.byteLength + series[key].values.byteLength, 0)
