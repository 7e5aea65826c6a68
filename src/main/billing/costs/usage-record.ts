import { type FeePerMinute, feeFromDecimal } from '#shared/money/fee'
import { defaultCurrency, moneyFromNumber } from '#shared/money/money'
import type { Usage } from '#shared/service/billing'
import { toldCurrency } from '../currency'

/** A usage entry as far as costs need it; null is not told. Times are epoch seconds, `life` is millionths. */
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
  readonly told: string | null
  /** When the service said so. */
  readonly toldAt: number
  /** It has ended since then: when, and what it cost in all, is not told yet. */
  readonly missed: boolean
}

const timeOf = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : null

/** `perMinute` is the service's own decimal text. A time that is 0 is not told. */
export const usageRecordOf = ({
  perMinute,
  created,
  terminated,
  ...told
}: Omit<UsageRecord, 'fee' | 'missed'> & { readonly perMinute: string | null }): UsageRecord => ({
  ...told,
  fee: perMinute === null ? null : feeFromDecimal(perMinute),
  created: timeOf(created),
  terminated: timeOf(terminated),
  missed: false,
})

/** As the wire tells it: a number's shortest decimal text is what the wire said. */
export const usageRecord = (entry: Usage, toldAt: number): UsageRecord =>
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
    told: toldCurrency(entry),
    toldAt,
  })

/** When a resource was charged for, as usage tells it. */
export interface Lifetime {
  readonly from: number | null
  /** Its end, which may lie ahead; null: none is known. */
  readonly until: number | null
  /** The service says that it is over. */
  readonly over: boolean
}

/**
 * Of an entry's times. A `terminated_time` that is absent, 0 or before `created_time` says nothing; what is over
 * without one has lived for its uptime. The status is the service's word, whatever the times say.
 */
export function lifetimeOf({ created, terminated, minutes, status }: UsageRecord): Lifetime {
  const told = terminated !== null && (created === null || terminated >= created) ? terminated : null
  const over = status?.toLowerCase() === 'terminated'
  const lived = over && created !== null && minutes !== null ? created + minutes * 60 : null
  return { from: created, until: told ?? lived, over }
}

export const isRunning = ({ until, over }: Lifetime, now: number): boolean =>
  !over && (until === null || until > now)

/**
 * What is known of usage from two readings: `kept` of everything at some time, `live` of what is active. What is over
 * stays over; of the rest the later word counts. One that was active before and is not among the active ones of a
 * complete later reading has ended some time after it was last told of.
 */
export function mergeUsage(
  kept: readonly UsageRecord[],
  live: {
    readonly records: readonly UsageRecord[]
    readonly asOf: number
    readonly complete: boolean
  } | null,
): readonly UsageRecord[] {
  if (live === null) return kept
  const active = new Map(live.records.map((record) => [record.id, record]))
  const merged = new Map<string, UsageRecord>()
  for (const record of kept) {
    const told = active.get(record.id)
    if (lifetimeOf(record).over) merged.set(record.id, record)
    else if (told !== undefined && told.toldAt >= record.toldAt) merged.set(record.id, told)
    else if (told === undefined && live.complete && live.asOf > record.toldAt) {
      const terminated = record.terminated ?? Math.floor(record.toldAt)
      merged.set(record.id, { ...record, status: 'terminated', terminated, missed: true })
    } else merged.set(record.id, record)
  }
  for (const [id, record] of active) if (!merged.has(id)) merged.set(id, record)
  return [...merged.values()]
}
