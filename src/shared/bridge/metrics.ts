import { z } from 'zod'
import { MetricDuration } from '../service/metrics'
import { AccountId } from './account'
import { call } from './define'
import { ExportedFile, ExportFormat } from './export'

/** A duration of the specification, or everything that was recorded. */
export const MetricPeriod = z.union([MetricDuration, z.literal('all')])
export type MetricPeriod = z.infer<typeof MetricPeriod>

/** What is recorded of a machine. Disk and network are what was moved in the time that one point stands for. */
export const metricKeys = ['cpu', 'memory', 'diskRead', 'diskWrite', 'networkIn', 'networkOut'] as const
export const MetricKey = z.enum(metricKeys)
export type MetricKey = z.infer<typeof MetricKey>

/** The service's groups (api-spec.md §2): the series of one group have one unit and one chart. */
export const metricGroups = ['cpu', 'memory', 'disk', 'network'] as const
export const MetricGroup = z.enum(metricGroups)
export type MetricGroup = z.infer<typeof MetricGroup>

/** Part of the time axis, epoch seconds. */
export const TimeRange = z
  .object({ from: z.number(), to: z.number() })
  .refine(({ from, to }) => from < to, { path: ['to'] })
export type TimeRange = z.infer<typeof TimeRange>

const Numbers = z.instanceof(Float64Array<ArrayBuffer>)

/** `times` in epoch seconds, ascending; a value that is `NaN` is a gap. */
export interface MetricSeries {
  readonly times: Float64Array<ArrayBuffer>
  readonly values: Float64Array<ArrayBuffer>
}
export type AllSeries = Readonly<Record<MetricKey, MetricSeries>>

/** All series, made one by one in the order of metricKeys. */
export const eachSeries = (make: (key: MetricKey) => MetricSeries): AllSeries => ({
  cpu: make('cpu'),
  memory: make('memory'),
  diskRead: make('diskRead'),
  diskWrite: make('diskWrite'),
  networkIn: make('networkIn'),
  networkOut: make('networkOut'),
})

/**
 * All series as they cross the bridge: in one array, since each array costs as much as thousands of its numbers, and
 * in four bytes each, which are finer than any pixel. For each of metricKeys, in their order, `lengths` times in
 * seconds after `origin` (epoch seconds) and as many values.
 */
export const PackedSeries = z
  .object({
    origin: z.number(),
    numbers: z.instanceof(Float32Array<ArrayBuffer>),
    lengths: z.array(z.int().nonnegative()).length(metricKeys.length),
  })
  .refine(({ numbers, lengths }) => numbers.length === 2 * lengths.reduce((sum, length) => sum + length, 0))
export type PackedSeries = z.infer<typeof PackedSeries>

/** What four bytes can say: no load is larger. */
const largest = 3e38

export function packSeries(series: AllSeries, origin: number): PackedSeries {
  const lengths = metricKeys.map((key) => series[key].times.length)
  const numbers = new Float32Array(2 * lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const key of metricKeys) {
    const { times, values } = series[key]
    for (let index = 0; index < times.length; index += 1) {
      numbers[at + index] = (times[index] ?? 0) - origin
      numbers[at + times.length + index] = Math.min(values[index] ?? Number.NaN, largest)
    }
    at += 2 * times.length
  }
  return { origin, numbers, lengths }
}

/** The series again, as arrays of their own. */
export function unpackSeries({ origin, numbers, lengths }: PackedSeries): AllSeries {
  let at = 0
  return eachSeries((key) => {
    const length = lengths[metricKeys.indexOf(key)] ?? 0
    const times = new Float64Array(numbers.subarray(at, at + length))
    const values = new Float64Array(numbers.subarray(at + length, at + 2 * length))
    for (let point = 0; point < length; point += 1) times[point] = (times[point] ?? 0) + origin
    at += 2 * length
    return { times, values }
  })
}

/** A machine's load in a part of the time, thinned to so many pixels with its minima and maxima kept. */
export const MetricsView = z.object({
  /** When the service was asked last, epoch seconds. */
  asOf: z.number(),
  /** What the period covers; of everything recorded, from the first point to now. */
  whole: TimeRange,
  /** As the service says them; null where it does not. */
  units: z.record(MetricGroup, z.string().nullable()),
  /** Points in the whole period, before thinning; of the series that has most. */
  points: z.int(),
  /** Values of the answer that are no load: not a number, negative, or without a time. They are gaps. */
  unusable: z.int(),
  /** Seconds between two points, as a rule; null where there are too few points. */
  step: z.number().nullable(),
  series: PackedSeries,
})
export type MetricsView = z.infer<typeof MetricsView>

/** The CPU of the last hour, for a line in the list: evenly apart, oldest first, `NaN` is a gap, in percent. */
export const LoadView = z.object({
  asOf: z.number(),
  cpu: Numbers,
  /** The newest value that is known of the last ten minutes. */
  now: z.number().nullable(),
})
export type LoadView = z.infer<typeof LoadView>

const OneMachine = z.object({ account: AccountId, machine: z.string().min(1) })

/** Machines of one account as they are on screen. */
const Looked = z.object({
  account: AccountId,
  machines: z.array(z.string().min(1)).min(1).max(16),
  period: MetricPeriod,
})

/** Machines of one account whose last hour is on screen. */
const LookedLoads = z.object({ account: AccountId, machines: z.array(z.string().min(1)).min(1).max(500) })

export const metricsCalls = {
  /**
   * `range` null: the whole period. `fresh` asks the service for what came since it was asked last; without it, what
   * was read within the last minute is used. A part of what is in memory is thinned anew without asking.
   */
  'metrics.read': call(
    OneMachine.extend({
      period: MetricPeriod,
      range: TimeRange.nullable(),
      /** Pixels that the series are drawn into. */
      width: z.int().min(1).max(8_192),
      fresh: z.boolean(),
    }),
    MetricsView,
  ),
  /** While the window looks at machines they are read every minute: see metrics.changed. */
  'metrics.look': call(Looked.extend({ looking: z.boolean() }), z.void()),
  /** Null: not known, and not to be asked yet. Each machine is asked every five minutes at most. */
  'metrics.load': call(OneMachine, LoadView.nullable()),
  /** While the window looks at the last hour of machines it is read again and again: see metrics.loadsChanged. */
  'metrics.lookLoads': call(LookedLoads.extend({ looking: z.boolean() }), z.void()),
  /** Every point of the period, or of a part of it, as a file that the person chooses. Fails with cancelled and disk-full. */
  'metrics.save': call(
    z.object({
      account: AccountId,
      machines: z
        .array(z.object({ id: z.string().min(1), name: z.string() }))
        .min(1)
        .max(16),
      period: MetricPeriod,
      range: TimeRange.nullable(),
      format: ExportFormat,
    }),
    ExportedFile,
  ),
  /** A picture of the charts, drawn by the window, as a PNG file that the person chooses; its name. */
  'metrics.savePicture': call(
    z.object({ name: z.string(), png: z.instanceof(Uint8Array<ArrayBuffer>) }),
    z.object({ file: z.string() }),
  ),
} as const

export const metricsEvents = {
  /** Machines were read again while the window looks at them; metrics.read has what came. */
  'metrics.changed': Looked,
  /** A minute has passed while the window looks at the last hour of machines; metrics.load and gpu.history have what came. */
  'metrics.loadsChanged': LookedLoads,
} as const
