import { type MetricKey, metricKeys, type MetricSeries } from '#shared/bridge/metrics'
import type { Recorded } from './clean'
import { firstAt } from '#shared/metrics/thin'

const joined = (one: Float64Array, other: Float64Array): Float64Array<ArrayBuffer> => {
  const all = new Float64Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** What was known, from `keptFrom` on, continued by what was asked since: where both speak of a time, the newer one holds. */
function mergedSeries(known: MetricSeries, newer: MetricSeries, keptFrom: number): MetricSeries {
  const begin = firstAt(known.times, keptFrom)
  const end = newer.times.length === 0 ? known.times.length : firstAt(known.times, newer.times[0] ?? 0)
  return {
    times: joined(known.times.subarray(begin, Math.max(begin, end)), newer.times),
    values: joined(known.values.subarray(begin, Math.max(begin, end)), newer.values),
  }
}

/** Two answers about one machine as one, from `keptFrom` (epoch seconds) on. Pure. */
export function merged(known: Recorded, newer: Recorded, keptFrom: number): Recorded {
  const of = (key: MetricKey): MetricSeries => mergedSeries(known.series[key], newer.series[key], keptFrom)
  const { cpu, memory, disk, network } = known.units
  return {
    units: {
      cpu: newer.units.cpu ?? cpu,
      memory: newer.units.memory ?? memory,
      disk: newer.units.disk ?? disk,
      network: newer.units.network ?? network,
    },
    series: {
      cpu: of('cpu'),
      memory: of('memory'),
      diskRead: of('diskRead'),
      diskWrite: of('diskWrite'),
      networkIn: of('networkIn'),
      networkOut: of('networkOut'),
    },
    // What is counted twice here was asked twice: it only says whether there is anything to tell.
    unusable: Math.max(known.unusable, newer.unusable),
    step: known.step ?? newer.step,
  }
}

/** Bytes that it takes. */
export const sizeOf = ({ series }: Recorded): number =>
  metricKeys.reduce((sum, key) => sum + series[key].times.byteLength + series[key].values.byteLength, 0)
