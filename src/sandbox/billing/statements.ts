import { mix32 } from '../random'
import type { UsageRecord } from '../cloud/records'
import { usageAt } from './fees'

const minute = 60
const day = 86_400

/** Returns the days since the epoch (UTC). */
export const dayOf = (time: number): number => Math.floor(time / day)

/** Charge of one resource from `from` to `to` (epoch seconds) in millionths of a dollar. */
export interface StatementRecord {
  readonly id: string
  readonly resource: UsageRecord['resource']
  readonly from: number
  readonly to: number
  /** `pending` until the day ends or the resource is terminated. */
  readonly status: 'paid' | 'pending'
  readonly amount: number
}

const statementId = (usageId: string, dayIndex: number): string =>
  usageId.slice(0, 16) + mix32(dayIndex).toString(16).padStart(8, '0')

/**
 * Returns one statement per UTC day of a resource's life from day `first` on, oldest first. Together they cover exactly
 * the minutes and the fee of usageAt: a minute belongs to the day in which it begins.
 */
export function statementsOf(usage: UsageRecord, now: number, first = 0): StatementRecord[] {
  const { minutes } = usageAt(usage, now)
  const minutesBefore = (time: number): number => Math.max(0, Math.ceil((time - usage.createdTime) / minute))
  const statements: StatementRecord[] = []
  let covered = minutesBefore(first * day)
  while (covered < minutes) {
    const from = usage.createdTime + covered * minute
    const dayEnd = (dayOf(from) + 1) * day
    const until = Math.min(minutes, minutesBefore(dayEnd))
    const to = usage.createdTime + until * minute
    statements.push({
      id: statementId(usage.id, dayOf(from)),
      resource: usage.resource,
      from,
      to,
      status: to >= dayEnd || usage.terminatedTime !== null ? 'paid' : 'pending',
      amount: (until - covered) * usage.perMinute,
    })
    covered = until
  }
  return statements
}
