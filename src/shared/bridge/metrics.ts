import { z } from 'zod'
import { MetricDuration } from '../service/metrics'
import { AccountId, OneMachine } from './account'
import { call } from './define'
import { ExportedFile, ExportFormat } from './export'

/** A duration of the specification, or everything recorded. */
export const MetricPeriod = z.union([MetricDuration, z.literal('all')])
export type MetricPeriod = z.infer<typeof MetricPeriod>

/** Recorded metrics of a machine. Disk and network are amounts per point. */
export const metricKeys = ['cpu', 'memory', 'diskRead', 'diskWrite', 'networkIn', 'networkOut'] as const
export const MetricKey = z.enum(metricKeys)
export type MetricKey = z.infer<typeof MetricKey>

/** Groups of the service (api-spec.md §2). The series of a group share a unit and a chart. */
export const metricGroups = ['cpu', 'memory', 'disk', 'network'] as const
export const MetricGroup = z.enum(metricGroups)
export type MetricGroup = z.infer<typeof MetricGroup>

export const TimeRange = z
  .object({ from: z.number(), to: z.number() })
  .refine(({ from, to }) => from < to, { path: ['to'] })
export type TimeRange = z.infer<typeof TimeRange>

const Numbers = z.instanceof(Float64Array<ArrayBuffer>)

/** `times` are ascending epoch seconds; a `NaN` value is a gap. */
export interface MetricSeries {
  readonly times: Float64Array<ArrayBuffer>
  readonly values: Float64Array<ArrayBuffer>
}
export type AllSeries = Readonly<Record<MetricKey, MetricSeries>>

export const eachSeries = (make: (key: MetricKey) => MetricSeries): AllSeries => ({
  cpu: make('cpu'),
  memory: make('memory'),
  diskRead: make('diskRead'),
  diskWrite: make('diskWrite'),
  networkIn: make('networkIn'),
  networkOut: make('networkOut'),
})

/**
 * All series as they cross the bridge: one array, as each array costs as much as thousands of numbers, of four-byte
 * numbers, which are finer than pixels. For each of metricKeys, `lengths` times in seconds after `origin` (epoch
 * seconds), then as many values.
 */
export const PackedSeries = z
  .object({
    origin: z.number(),
    numbers: z.instanceof(Float32Array<ArrayBuffer>),
    lengths: z.array(z.int().nonnegative()).length(metricKeys.length),
  })
  .refine(({ numbers, lengths }) => numbers.length === 2 * lengths.reduce((sum, length) => sum + length, 0))
export type PackedSeries = z.infer<typeof PackedSeries>

/** Largest four-byte number; no load exceeds it. */
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

/** Load of a machine, thinned to the pixel width with minima and maxima kept. */
export const MetricsView = z.object({
  /** Epoch seconds of the last request to the service. */
  asOf: z.number(),
  /** Range of the period; for everything recorded, from the first point to now. */
  whole: TimeRange,
  /** Verbatim from the service; null if not reported. */
  units: z.record(MetricGroup, z.string().nullable()),
  points: z.int(),
  /** Invalid values of the answer: not numbers, negative, or without a time. They are gaps. */
  unusable: z.int(),
  /** Usual seconds between two points; null with too few points. */
  step: z.number().nullable(),
  series: PackedSeries,
})
export type MetricsView = z.infer<typeof MetricsView>

/** CPU load of the last hour for a sparkline: evenly spaced, oldest first, in percent; `NaN` is a gap. */
export const LoadView = z.object({
  asOf: z.number(),
  cpu: Numbers,
  now: z.number().nullable(),
})
export type LoadView = z.infer<typeof LoadView>

const Looked = z.object({
  account: AccountId,
  machines: z.array(z.string().min(1)).min(1).max(16),
  period: MetricPeriod,
})

const LookedLoads = z.object({ account: AccountId, machines: z.array(z.string().min(1)).min(1).max(500) })

export const metricsCalls = {
  /**
   * `range` null: the whole period. `fresh` requests newer data; otherwise data of the last minute are reused. A
   * range of loaded data is thinned without a request.
   */
  'metrics.read': call(
    OneMachine.extend({
      period: MetricPeriod,
      range: TimeRange.nullable(),
      width: z.int().min(1).max(8_192),
      fresh: z.boolean(),
    }),
    MetricsView,
  ),
  /** Reads machines every minute while `looking`: see metrics.changed. */
  'metrics.look': call(Looked.extend({ looking: z.boolean() }), z.void()),
  /** Null if unknown and not due. Each machine is requested every five minutes at most. */
  'metrics.load': call(OneMachine, LoadView.nullable()),
  'metrics.lookLoads': call(LookedLoads.extend({ looking: z.boolean() }), z.void()),
  /** Saves every point of the period or range to a file that the user chooses. Fails with cancelled and disk-full. */
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
  'metrics.savePicture': call(
    z.object({ name: z.string(), png: z.instanceof(Uint8Array<ArrayBuffer>) }),
    z.object({ file: z.string() }),
  ),
} as const

export const metricsEvents = {
  /** Machines in view were read again; metrics.read returns the new data. */
  'metrics.changed': Looked,
  /** Sent every minute while the last hour of machines is in view; metrics.load and gpu.history return the new data. */
  'metrics.loadsChanged': LookedLoads,
} as const
