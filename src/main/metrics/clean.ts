import type { MetricGroup, MetricKey, MetricSeries } from '#shared/bridge/metrics'
import type { MetricsAnswer } from '#shared/service/metrics'
import { latestTime } from '#shared/service/time'

/** Cleaned answer of the service: every series is in order and has its gaps marked by NaN. */
export interface Recorded {
  readonly units: Readonly<Record<MetricGroup, string | null>>
  readonly series: Readonly<Record<MetricKey, MetricSeries>>
  /** Number of invalid values and of entries without a time. */
  readonly unusable: number
  /** Usual distance between two points in seconds. */
  readonly step: number | null
}

/** Fields of a group's entries (api-spec.md §2) with our names. */
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

/** Returns a number, also from text; otherwise NaN. */
const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** Converts entries to columns in their order. Missing and invalid values become gaps; invalid ones are counted. */
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
    for (let index = 0; index < fields.length; index += 1) {
      const raw: unknown = Reflect.get(entry, fields[index] ?? '')
      const value = numberOf(raw)
      const usable = Number.isFinite(value) && value >= 0
      if (!usable && raw !== null && raw !== undefined) unusable += 1
      const column = values[index]
      if (column) column[count] = usable ? value : Number.NaN
    }
    count += 1
  }
  return { times: times.slice(0, count), values: values.map((column) => column.slice(0, count)), unusable }
}

const isAscending = (times: Float64Array): boolean => {
  for (let index = 1; index < times.length; index += 1) {
    if (!((times[index] ?? 0) > (times[index - 1] ?? 0))) return false
  }
  return true
}

/** Sorts columns by time. At equal times, known values of the later entry count. */
function inOrder(columns: Columns): Columns {
  const { times, values } = columns
  if (isAscending(times)) return columns
  const order = Array.from(times.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
  const sorted = new Float64Array(times.length)
  const moved = values.map(() => new Float64Array(times.length))
  let count = 0
  for (const from of order) {
    const time = times[from] ?? 0
    const isRepeated = count > 0 && sorted[count - 1] === time
    const to = isRepeated ? count - 1 : count
    sorted[to] = time
    values.forEach((column, index) => {
      const value = column[from] ?? Number.NaN
      const target = moved[index]
      if (target && !(isRepeated && Number.isNaN(value))) target[to] = value
    })
    if (!isRepeated) count += 1
  }
  return { ...columns, times: sorted.slice(0, count), values: moved.map((column) => column.slice(0, count)) }
}

const maxSamples = 1_001

/** Returns the median distance between points in seconds. */
export function usualStep(times: Float64Array): number | null {
  if (times.length < 2) return null
  const stride = Math.max(1, Math.floor((times.length - 1) / maxSamples))
  const distances: number[] = []
  for (let index = 1; index < times.length; index += stride)
    distances.push((times[index] ?? 0) - (times[index - 1] ?? 0))
  distances.sort((a, b) => a - b)
  return distances[Math.floor(distances.length / 2)] ?? null
}

/** Number of usual distances beyond which two points have a gap between them. */
export const gapSteps = 2.5

function withGaps(columns: Columns, step: number | null): Columns {
  const { times, values } = columns
  if (step === null) return columns
  const far = (index: number): boolean =>
    index > 0 && (times[index] ?? 0) - (times[index - 1] ?? 0) > step * gapSteps
  let gaps = 0
  for (let index = 1; index < times.length; index += 1) if (far(index)) gaps += 1
  if (gaps === 0) return columns
  const marked = new Float64Array(times.length + gaps)
  const filled = values.map(() => new Float64Array(times.length + gaps))
  let to = 0
  for (let index = 0; index < times.length; index += 1) {
    if (far(index)) {
      marked[to] = (times[index - 1] ?? 0) + step
      for (const column of filled) column[to] = Number.NaN
      to += 1
    }
    marked[to] = times[index] ?? 0
    filled.forEach((column, field) => (column[to] = values[field]?.[index] ?? Number.NaN))
    to += 1
  }
  return { ...columns, times: marked, values: filled }
}

/** Prepares an answer for drawing: times ascend without repetition, invalid values and missing points are gaps. Pure. */
export function clean(answer: MetricsAnswer): Recorded {
  const read = (group: MetricGroup): Columns => {
    const fields = fieldsOf[group].map(([field]) => field)
    return inOrder(readEntries(answer[group]?.data ?? [], fields))
  }
  const groups = { cpu: read('cpu'), memory: read('memory'), disk: read('disk'), network: read('network') }
  const columns = Object.values(groups)
  const longest = columns.reduce((longestSoFar, next) =>
    next.times.length > longestSoFar.times.length ? next : longestSoFar,
  )
  const step = usualStep(longest.times)
  // The series of one group share their times and are thinned together.
  const complete = (group: MetricGroup): Columns => withGaps(groups[group], usualStep(groups[group].times))
  const marked = {
    cpu: complete('cpu'),
    memory: complete('memory'),
    disk: complete('disk'),
    network: complete('network'),
  }
  const series = (group: MetricGroup, index: number): MetricSeries => {
    const { times, values } = marked[group]
    return { times, values: values[index] ?? new Float64Array() }
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
