import { z } from 'zod'

/** Durations of GET /virtual-machines/{id}/metrics; without one, everything recorded is returned (api-spec.md §4). */
export const metricDurations = ['1h', '2h', '4h', '6h', '12h', '1d', '3d', '7d', '15d', '30d'] as const
export const MetricDuration = z.enum(metricDurations)
export type MetricDuration = z.infer<typeof MetricDuration>

const hour = 3_600
const day = 86_400
/** Seconds that each period covers (api-spec.md §4). */
export const durationSeconds: Readonly<Record<MetricDuration, number>> = {
  '1h': hour,
  '2h': 2 * hour,
  '4h': 4 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': day,
  '3d': 3 * day,
  '7d': 7 * day,
  '15d': 15 * day,
  '30d': 30 * day,
}

const number = z.number().nullish()
const series = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.looseObject({ unit: z.string().nullish(), data: z.array(z.looseObject({ time: z.number(), ...fields })) })

/** Load of a machine over time (api-spec.md §2). `time` is epoch seconds; each group names its unit. */
export const Metrics = z.looseObject({
  cpu: series({ value: number }),
  memory: series({ value: number }),
  disk: series({ read: number, write: number }),
  network: series({ in: number, out: number }),
})
export type Metrics = z.infer<typeof Metrics>

const Group = z.looseObject({ unit: z.string().nullish(), data: z.array(z.unknown()).nullish() })
/** A group without measurements may be an empty list. */
const AnsweredGroup = z.union([Group, z.array(z.never()).transform((): z.infer<typeof Group> => ({}))])
const AnsweredGroups = z.looseObject({
  cpu: AnsweredGroup.nullish(),
  memory: AnsweredGroup.nullish(),
  disk: AnsweredGroup.nullish(),
  network: AnsweredGroup.nullish(),
})
export type MetricsAnswer = z.infer<typeof AnsweredGroups>

/**
 * Lenient schema for clients: entries are validated one by one (main/metrics/clean.ts), so that a malformed entry
 * costs itself only. Without measurements, groups or the whole object may be missing.
 */
export const MetricsAnswer: z.ZodType<MetricsAnswer> = z.union([
  AnsweredGroups,
  z.union([z.array(z.never()), z.null()]).transform((): MetricsAnswer => ({})),
])
