import type { AccountId } from '#shared/bridge/account'
import { yieldToEventLoop } from '../core/clock'
import type { Database, SqlValue } from '../store/database'
import { type Charges, gatherCharges } from './costs/charges'
import { usageRecordOf, type UsageRecord } from './costs/usage-record'

/** Rows that are read before the main process may do something else: a few milliseconds. */
const chunk = 5_000

const numberOf = (value: SqlValue | undefined): number => (typeof value === 'number' ? value : 0)
const numberOrNull = (value: SqlValue | undefined): number | null =>
  typeof value === 'number' ? value : null
const textOf = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: SqlValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const columns = [
  ...['started_time', 'due_time', 'millionths', 'resource_id', 'resource_type', 'currency'],
] as const
/** Each column of many rows as one text of JSON: read in a third of the time that as many values take. */
const asTexts = (rows: string): string =>
  `SELECT ${columns.map((column) => `json_group_array(${column})`).join(', ')} FROM (${rows})`
const rowsAfter =
  'FROM statement WHERE account = ? AND (started_time, id) > (?, ?) ORDER BY started_time, id LIMIT'
const inOrder = asTexts(`SELECT ${columns.join(', ')} ${rowsAfter} ${String(chunk)}`)
/** The place of the last row of a chunk: found in less time than the ids of all take. */
const lastOfChunk = `SELECT started_time, id ${rowsAfter} 1 OFFSET ${String(chunk - 1)}`
/** Seconds; what covers more has an index of its own (store/migrations/007-recent-statements.ts). */
const long = 172_800
const longOnes = asTexts(
  `SELECT ${columns.join(', ')} FROM statement INDEXED BY statement_long
   WHERE account = ?1 AND due_time - started_time > ${String(long)} AND due_time > ?2 AND started_time < ?2 - ${String(long)}
   ORDER BY started_time, id`,
)
/** One step of an index for each resource and one for its last moment, however many statements it has. */
const coverage = `
  WITH RECURSIVE known (id) AS (
    SELECT min(resource_id) FROM statement WHERE account = ?1
    UNION ALL
    SELECT (SELECT min(resource_id) FROM statement WHERE account = ?1 AND resource_id > known.id)
      FROM known WHERE known.id IS NOT NULL)
  SELECT id, (SELECT max(due_time) FROM statement WHERE account = ?1 AND resource_id = known.id)
    FROM known WHERE id IS NOT NULL`

type Column = readonly SqlValue[]
const isColumn = (value: unknown): value is Column => Array.isArray(value)

/** The columns of what was read, in their order, each with a value for every row. */
function columnsOf([row = []]: readonly Column[]): readonly Column[] {
  return columns.map((_, at) => {
    const values: unknown = JSON.parse(textOf(row[at]))
    if (!isColumn(values)) throw new TypeError('the store answered no rows')
    return values
  })
}

/** Adds the charges of all rows. Answers how many they are. */
function addAll(gather: ReturnType<typeof gatherCharges>, read: readonly Column[]): number {
  const [from = [], until = [], millionths = [], resource = [], type = [], currency = []] = columnsOf(read)
  for (let row = 0; row < from.length; row += 1)
    gather.add({
      resource: textOf(resource[row]),
      type: textOrNull(type[row]),
      from: numberOf(from[row]),
      until: numberOf(until[row]),
      millionths: numberOf(millionths[row]),
      currency: textOrNull(currency[row]),
    })
  return from.length
}

/** Reads by the key what begins at `from` or later, a few at a time, so that nothing else has to wait. */
async function gatherFrom(
  database: Database,
  account: AccountId,
  gather: ReturnType<typeof gatherCharges>,
  from: number,
): Promise<Charges> {
  const next = database.prepare(inOrder)
  for (let place: readonly SqlValue[] = [from, '']; ;) {
    if (addAll(gather, next.arrays(account, ...place)) < chunk) return gather.done()
    // Nothing can have been written in between.
    place = database.prepare(lastOfChunk).arrays(account, ...place)[0] ?? place
    await yieldToEventLoop()
  }
}

/**
 * The statements of an account in the ledger, in the order of time: those of `before` that began before `from` (epoch
 * seconds), and all later ones anew. A row that is written during it is in this or the next reading. Fails with
 * local-fault.
 */
export const readCharges = (
  database: Database,
  account: AccountId,
  before?: Charges,
  from = Number.MIN_SAFE_INTEGER,
): Promise<Charges> => gatherFrom(database, account, gatherCharges(before, from), from)

/** Those of them that cover something after `since` (epoch seconds). Fails with local-fault. */
export async function readChargesSince(
  database: Database,
  account: AccountId,
  since: number,
): Promise<Charges> {
  if (since === -Infinity) return readCharges(database, account)
  const covered = database.prepare(coverage).arrays(account)
  // What is left out ends by then; what covers more is read, and may be corrected to cover less.
  const coveredUntil = new Map(covered.map(([id, until]) => [textOf(id), Math.min(numberOf(until), since)]))
  const gather = gatherCharges(undefined, since, { since, coveredUntil })
  addAll(gather, database.prepare(longOnes).arrays(account, since))
  return gatherFrom(database, account, gather, since - long)
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
