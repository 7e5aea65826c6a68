import type { AccountId } from '#shared/bridge/account'
import type { Database, SqlValue } from '../store/database'
import { isUnspread } from '../store/schema'
import { dayArrays } from './cost-day-table'
import type { LineCharge, StoredCharges } from './costs/charge'
import { numberOf, numberOrNull, textOf, textOrNull } from './row-values'

const chargesBy = (index: string): string => `SELECT line, started_time, due_time, charged
  FROM statement ${index}
  JOIN cost_line ON cost_line.account = statement.account AND cost_line.resource_id = statement.resource_id
    AND cost_line.currency = coalesce(statement.currency, '')
  WHERE statement.account = ?1`
/** Statements that the days contain: those that a rebuild has not reached yet are missing there. */
const isInDays = `started_time < coalesce(
  (SELECT done_until FROM cost_calendar WHERE cost_calendar.account = statement.account), 9223372036854775807)`
const ofResource = `AND statement.resource_id = ?2 AND NOT ${isUnspread} AND ${isInDays}`
// A statement that is due before it starts counts at its start. NOT INDEXED: by the primary key, that is by start.
const ending = `${chargesBy('INDEXED BY statement_resource')} AND due_time > ?3 ${ofResource}
  UNION ALL ${chargesBy('NOT INDEXED')} AND started_time >= ?3 AND due_time <= ?3 ${ofResource}`
const unspread = `${chargesBy('INDEXED BY statement_unspread')} AND ${isUnspread}`
/** The latest statement of a resource determines its type. */
const lines = `SELECT line, resource_id,
    (SELECT resource_type FROM statement INDEXED BY statement_resource
      WHERE statement.account = ?1 AND statement.resource_id = cost_line.resource_id AND resource_type <> ''
      ORDER BY due_time DESC LIMIT 1),
    currency, last_end FROM cost_line WHERE account = ?1`
const days = `SELECT day, lines, millionths FROM cost_day
  WHERE account = ? AND day >= ? AND day < ? ORDER BY day`
const coveredUntil = `SELECT resource_id,
    (SELECT until FROM covered_time WHERE account = ?1 AND resource_id = listed.resource_id
      ORDER BY until DESC LIMIT 1)
  FROM (SELECT DISTINCT resource_id FROM cost_line WHERE account = ?1) AS listed`
const coveredSeconds = `SELECT resource_id, sum(min(until, ?3) - max(since, ?2)) FROM covered_time
  WHERE account = ?1 AND until > ?2 AND since < ?3 GROUP BY resource_id`

/** Bound on times in SQL, so that sums of them fit into 64 bits. Epoch seconds. */
const endOfTime = 10_000_000_000_000
const inSql = (time: number): number => Math.max(-endOfTime, Math.min(endOfTime, Math.ceil(time)))

const lineCharge = ([line, from, until, millionths]: readonly SqlValue[]): LineCharge => ({
  line: numberOf(line),
  from: numberOf(from),
  until: numberOf(until),
  millionths: numberOf(millionths),
})

/** Reads the lines of an account now; its days are read on demand. Fails with local-fault. */
export const storedCharges = (database: Database, account: AccountId): StoredCharges => ({
  lines: database
    .prepare(lines)
    .arrays(account)
    .map(([line, resource, type, currency, lastEnd]) => ({
      line: numberOf(line),
      resource: textOf(resource),
      type: textOrNull(type),
      currency: textOrNull(currency),
      lastEnd: numberOf(lastEnd),
    })),
  days: (start, end) =>
    database
      .prepare(days)
      .arrays(account, inSql(start), inSql(end))
      .map(([day, ofLines, millionths]) => ({
        day: numberOf(day),
        ...dayArrays(ofLines, millionths),
      })),
  unspread: database.prepare(unspread).arrays(account).map(lineCharge),
  endingAfter: (resource, time) =>
    database.prepare(ending).arrays(account, resource, inSql(time)).map(lineCharge),
  coveredUntil: new Map(
    database
      .prepare(coveredUntil)
      .arrays(account)
      .map(([resource, until]) => [textOf(resource), numberOrNull(until) ?? -Infinity]),
  ),
  coveredSeconds: (start, end) =>
    new Map(
      database
        .prepare(coveredSeconds)
        .arrays(account, inSql(start), inSql(end))
        .map(([resource, seconds]) => [textOf(resource), numberOf(seconds)]),
    ),
})
