import type { AccountId } from '#shared/bridge/account'
import { yieldToEventLoop } from '../core/clock'
import type { Database, SqlValue } from '../store/database'
import { type Charges, gatherCharges } from './costs/charges'
import { usageRecordOf, type UsageRecord } from './costs/usage-record'

/** Rows that are read before the main process may do something else: a few milliseconds. */
const chunk = 2_000

const numberOf = (value: SqlValue | undefined): number => (typeof value === 'number' ? value : 0)
const numberOrNull = (value: SqlValue | undefined): number | null =>
  typeof value === 'number' ? value : null
const textOf = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: SqlValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * The statements of an account in the ledger, in the order of time: those of `before` that began before `since` (epoch
 * seconds), and all later ones anew. Read by the key, a few at a time, so that nothing else has to wait; a row that is
 * written meanwhile is in it or in the next reading. Fails with local-fault.
 */
export async function readCharges(
  database: Database,
  account: AccountId,
  before?: Charges,
  since = Number.MIN_SAFE_INTEGER,
): Promise<Charges> {
  const gather = gatherCharges(before, since)
  const next = database.prepare(
    `SELECT started_time, id, due_time, millionths, resource_id, resource_type, currency FROM statement
     WHERE account = ? AND (started_time, id) > (?, ?) ORDER BY started_time, id LIMIT ${String(chunk)}`,
  )
  for (let from = since, id = ''; ;) {
    const rows = next.arrays(account, from, id)
    for (const [started, , due, millionths, resource, type, currency] of rows) {
      gather.add({
        resource: textOf(resource),
        type: textOrNull(type),
        from: numberOf(started),
        until: numberOf(due),
        millionths: numberOf(millionths),
        currency: textOrNull(currency),
      })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunk) return gather.done()
    from = numberOf(last[0])
    id = textOf(last[1])
    await yieldToEventLoop()
  }
}

/**
 * All usage of an account in the ledger, each entry as reported when it was last listed; at `usageLastSync` (epoch seconds)
 * where that is unknown. Fails with local-fault.
 */
export async function readUsage(
  database: Database,
  account: AccountId,
  usageLastSync: number,
): Promise<readonly UsageRecord[]> {
  const records: UsageRecord[] = []
  const next = database.prepare(
    `SELECT id, resource_id, name, display_name, type, per_minute, total_fee, total_uptime, created_time,
       terminated_time, status, currency, seen_at
     FROM usage_entry WHERE account = ? AND id > ? ORDER BY id LIMIT ${String(chunk)}`,
  )
  for (let after = ''; ;) {
    const rows = next.arrays(account, after)
    for (const [id, resource, name, displayName, type, perMinute, fee, uptime, ...rest] of rows) {
      const [created, terminated, status, currency, seenAt] = rest
      records.push(
        usageRecordOf({
          id: textOf(id),
          resource: textOf(resource),
          name: textOrNull(displayName) ?? textOrNull(name),
          type: textOrNull(type),
          perMinute: textOrNull(perMinute),
          life: numberOrNull(fee),
          minutes: numberOrNull(uptime),
          created: numberOrNull(created),
          terminated: numberOrNull(terminated),
          status: textOrNull(status),
          currency: textOrNull(currency),
          reportedAt: numberOrNull(seenAt) ?? usageLastSync,
        }),
      )
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunk) return records
    after = textOf(last[0])
    await yieldToEventLoop()
  }
}
