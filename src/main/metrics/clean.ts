import type { MetricGroup, MetricKey, MetricSeries } from '#shared/bridge/metrics'
import type { MetricsAnswer } from '#shared/service/metrics'
import { latestTime } from '#shared/service/time'

/** What one answer of the service said, with every series in order and its gaps marked by NaN. */
export interface Recorded {
  readonly units: Readonly<Record<MetricGroup, string | null>>
  readonly series: Readonly<Record<MetricKey, MetricSeries>>
  /** Values that were no load, and entries without a time. */
  readonly unusable: number
  /** Seconds between two points, as a rule. */
  readonly step: number | null
}

/** The fields of a group's entries (api-spec.md §2), and what they are called here. */
const fieldsOf = {
  cpu: [['value', 'cpu']],
  memory: [['value', 'memory']],
  disk: [
    ['read', 'diskRead'],
    ['write', 'diskWrite'],
  ],
  network: [
    ['in', 'networkIn'],
    ['out', 'networkOut'],
  ],
} as const satisfies Record<MetricGroup, readonly (readonly [field: string, key: MetricKey])[]>

interface Columns {
  readonly times: Float64Array<ArrayBuffer>
  readonly values: readonly Float64Array<ArrayBuffer>[]
  readonly unusable: number
}

/** A number, or one that came as text; NaN for everything else. */
const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** Entries as columns in the order they came. A value that is absent is a gap; one that is no load is counted as well. */
function readEntries(entries: readonly unknown[], fields: readonly string[]): Columns {
  const times = new Float64Array(entries.length)
  const values = fields.map(() => new Float64Array(entries.length))
  let count = 0
  let unusable = 0
  for (const entry of entries) {
    const time =
      typeof entry === 'object' && entry !== null ? numberOf(Reflect.get(entry, 'time')) : Number.NaN
    if (
      typeof entry !== 'object' ||
      entry === null ||
      !Number.isFinite(time) ||
      time <= 0 ||
      time > latestTime
    ) {
      unusable += 1
      continue
    }
    times[count] = time
    for (let at = 0; at < fields.length; at += 1) {
      const said: unknown = Reflect.get(entry, fields[at] ?? '')
      const value = numberOf(said)
      const usable = Number.isFinite(value) && value >= 0
      if (!usable && said !== null && said !== undefined) unusable += 1
      const column = values[at]
      if (column) column[count] = usable ? value : Number.NaN
    }
    count += 1
  }
  return { times: times.slice(0, count), values: values.map((column) => column.slice(0, count)), unusable }
}

const isAscending = (times: Float64Array): boolean => {
  for (let at = 1; at < times.length; at += 1) {
    if (!((times[at] ?? 0) > (times[at - 1] ?? 0))) return false
  }
  return true
}

/** The same by time, each time once: of two that have the same time, what the later one knows. */
function inOrder(columns: Columns): Columns {
  const { times, values } = columns
  if (isAscending(times)) return columns
  const order = Array.from(times.keys()).sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0))
  const sorted = new Float64Array(times.length)
  const moved = values.map(() => new Float64Array(times.length))
  let count = 0
  for (const from of order) {
    const time = times[from] ?? 0
    const again = count > 0 && sorted[count - 1] === time
    const to = again ? count - 1 : count
    sorted[to] = time
    values.forEach((column, at) => {
      const value = column[from] ?? Number.NaN
      const target = moved[at]
      if (target && !(again && Number.isNaN(value))) target[to] = value
    })
    if (!again) count += 1
  }
  return { ...columns, times: sorted.slice(0, count), values: moved.map((column) => column.slice(0, count)) }
}

/** How many distances between points are looked at to find the usual one. */
const sampled = 1_001

/** The usual distance between points in seconds: the median of their distances. */
export function usualStep(times: Float64Array): number | null {
  if (times.length < 2) return null
  const stride = Math.max(1, Math.floor((times.length - 1) / sampled))
  const distances: number[] = []
  for (let at = 1; at < times.length; at += stride) distances.push((times[at] ?? 0) - (times[at - 1] ?? 0))
  distances.sort((one, other) => one - other)
  return distances[Math.floor(distances.length / 2)] ?? null
}

/** Points further apart than so many usual distances have a gap between them. */
export const gapSteps = 2.5

/** The same with a NaN wherever points are missing. */
function withGaps(columns: Columns, step: number | null): Columns {
  const { times, values } = columns
  if (step === null) return columns
  const far = (at: number): boolean => at > 0 && (times[at] ?? 0) - (times[at - 1] ?? 0) > step * gapSteps
  let gaps = 0
  for (let at = 1; at < times.length; at += 1) if (far(at)) gaps += 1
  if (gaps === 0) return columns
  const marked = new Float64Array(times.length + gaps)
  const filled = values.map(() => new Float64Array(times.length + gaps))
  let to = 0
  for (let at = 0; at < times.length; at += 1) {
    if (far(at)) {
      marked[to] = (times[at - 1] ?? 0) + step
      for (const column of filled) column[to] = Number.NaN
      to += 1
    }
    marked[to] = times[at] ?? 0
    filled.forEach((column, index) => (column[to] = values[index]?.[at] ?? Number.NaN))
    to += 1
  }
  return { ...columns, times: marked, values: filled }
}

/**
 * An answer made ready to be drawn, whatever is in it: times ascend and come once, what is no load is a gap, missing
 * points are gaps. Pure.
 */
export function clean(answer: MetricsAnswer): Recorded {
  const read = (group: MetricGroup): Columns => {
    const fields = fieldsOf[group].map(([field]) => field)
    return inOrder(readEntries(answer[group]?.data ?? [], fields))
  }
  const groups = { cpu: read('cpu'), memory: read('memory'), disk: read('disk'), network: read('network') }
  const columns = Object.values(groups)
  const longest = columns.reduce((most, one) => (one.times.length > most.times.length ? one : most))
  const step = usualStep(longest.times)
  // Series of one group share their times: they are thinned together.
  const complete = (group: MetricGroup): Columns => withGaps(groups[group], usualStep(groups[group].times))
  const marked = {
    cpu: complete('cpu'),
    memory: complete('memory'),
    disk: complete('disk'),
    network: complete('network'),
  }
  const series = (group: MetricGroup, at: number): MetricSeries => {
    const { times, values } = marked[group]
    return { times, values: values[at] ?? new Float64Array() }
  }
  const unit = (group: MetricGroup): string | null => answer[group]?.unit?.trim() || null
  return {
    units: { cpu: unit('cpu'), memory: unit('memory'), disk: unit('disk'), network: unit('network') },
    series: {
      cpu: series('cpu', 0),
      memory: series('memory', 0),
      diskRead: series('disk', 0),
      diskWrite: series('disk', 1),
      networkIn: series('network', 0),
      networkOut: series('network', 1),
    },
    unusable: columns.reduce((sum, { unusable }) => sum + unusable, 0),
    step,
  }
}
