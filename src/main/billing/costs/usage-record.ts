import { type FeePerMinute, feeFromDecimal } from '#shared/money/fee'
import { defaultCurrency, moneyFromNumber } from '#shared/money/money'
import type { Usage } from '#shared/service/billing'
import { reportedCurrency } from '../currency'

/** Fields of a usage entry that costs need; null: not reported. Times are epoch seconds, `life` is millionths. */
export interface UsageRecord {
  readonly id: string
  readonly resource: string
  readonly name: string | null
  readonly type: string | null
  readonly fee: FeePerMinute | null
  readonly life: number | null
  readonly minutes: number | null
  readonly created: number | null
  readonly terminated: number | null
  readonly status: string | null
  readonly currency: string | null
  /** Epoch seconds of the report. */
  readonly reportedAt: number
  /** The entry ended after the report. Its end and its final cost are not reported yet. */
  readonly missed: boolean
}

const timeOf = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : null

/** Returns a record. `perMinute` is the service's own decimal text. A time of 0 means that none was reported. */
export const usageRecordOf = ({
  perMinute,
  created,
  terminated,
  ...rest
}: Omit<UsageRecord, 'fee' | 'missed'> & { readonly perMinute: string | null }): UsageRecord => ({
  ...rest,
  fee: perMinute === null ? null : feeFromDecimal(perMinute),
  created: timeOf(created),
  terminated: timeOf(terminated),
  missed: false,
})

/**
 * Returns the record of an entry. `reportedAt` is epoch seconds. A number's shortest decimal text equals the text
 * that the service sent.
 */
export const usageRecord = (entry: Usage, reportedAt: number): UsageRecord =>
  usageRecordOf({
    id: entry.id,
    resource: entry.resource.id,
    name: entry.resource.display_name || entry.resource.name || null,
    type: entry.resource.type || null,
    perMinute: typeof entry.per_minute_fee === 'number' ? String(entry.per_minute_fee) : null,
    life: moneyFromNumber(entry.total_fee ?? NaN, defaultCurrency)?.millionths ?? null,
    minutes: typeof entry.total_uptime === 'number' ? Math.trunc(entry.total_uptime) : null,
    created: entry.created_time ?? null,
    terminated: entry.terminated_time ?? null,
    status: entry.status || null,
    currency: reportedCurrency(entry),
    reportedAt,
  })

/** Time for which a resource was charged, according to usage. */
export interface Lifetime {
  readonly from: number | null
  /** Known end, possibly in the future; null: none. */
  readonly until: number | null
  /** Whether the service reports that the entry ended. */
  readonly over: boolean
}

/**
 * Returns the lifetime of an entry. Ignores a `terminated_time` that is absent, 0 or before `created_time`; without
 * one, an ended entry lived for its uptime. The status takes precedence over the times. An entry without
 * `created_time` began `total_uptime` minutes before its end, or before its report.
 */
export function lifetimeOf({ created, terminated, minutes, status, reportedAt }: UsageRecord): Lifetime {
  const ended = terminated !== null && (created === null || terminated >= created) ? terminated : null
  const over = status?.toLowerCase() === 'terminated'
  const lived = over && created !== null && minutes !== null ? created + minutes * 60 : null
  const lastUp = over ? ended : Math.min(ended ?? Infinity, Math.floor(reportedAt))
  const counted = minutes !== null && minutes >= 0 && lastUp !== null ? lastUp - minutes * 60 : null
  return { from: created ?? counted, until: ended ?? lived, over }
}

export const isRunning = ({ until, over }: Lifetime, now: number): boolean =>
  !over && (until === null || until > now)

/**
 * Merges two readings of usage: `kept` of all entries, `live` of the active ones. An ended entry stays ended; for
 * other entries the later report counts. An active entry that a complete later reading lacks ended after its last
 * report. A report from after `now` (epoch seconds) counts as the earlier one, because the clock was set back.
 */
export function mergeUsage(
  kept: readonly UsageRecord[],
  live: {
    readonly records: readonly UsageRecord[]
    readonly asOf: number
    readonly complete: boolean
  } | null,
  now: number,
): readonly UsageRecord[] {
  if (live === null) return kept
  const active = new Map(live.records.map((record) => [record.id, record]))
  const merged = new Map<string, UsageRecord>()
  for (const record of kept) {
    const latest = active.get(record.id)
    const { reportedAt } = record
    const isFuture = reportedAt > now
    if (lifetimeOf(record).over) merged.set(record.id, record)
    else if (latest !== undefined && (isFuture || latest.reportedAt >= reportedAt))
      merged.set(record.id, latest)
    else if (latest === undefined && live.complete && (isFuture || live.asOf > reportedAt)) {
      const terminated = record.terminated ?? Math.floor(Math.min(reportedAt, live.asOf))
      merged.set(record.id, { ...record, status: 'terminated', terminated, missed: true })
    } else merged.set(record.id, record)
  }
  for (const [id, record] of active) if (!merged.has(id)) merged.set(id, record)
  return [...merged.values()]
}
