import type { AccountId } from '#shared/bridge/account'
import { yieldToEventLoop } from '../core/clock'
import type { Database, SqlValue } from '../store/database'
import { originalText, storedText } from '../store/statement-text'
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

/** Many values as one text of JSON: read in a third of the time that as many values take. */
const asJson = (columns: readonly string[]): string =>
  columns.map((column) => `json_group_array(${column})`).join(', ')
const ofResource = ['started_time', 'due_time', 'charged', 'currency'] as const
const columns = [...ofResource, 'resource_id', 'resource_type'] as const
const rowsAfter =
  'FROM statement WHERE account = ? AND (started_time, id) > (?, ?) ORDER BY started_time, id LIMIT'
const inOrder = `SELECT ${asJson(columns)} FROM (SELECT ${columns.join(', ')} ${rowsAfter} ${String(chunk)})`
/** The place of the last row of a chunk: found in less time than the ids of all take. */
const lastOfChunk = `SELECT started_time, id ${rowsAfter} 1 OFFSET ${String(chunk - 1)}`
/**
 * For each resource, the end of its last statement and of its last statement above zero. One step of an index for each
 * resource, however many statements it has. The last resource comes first: a step ends at the newest statements of the
 * next resource, which are read anyway.
 */
const coverage = `
  WITH RECURSIVE known (id) AS (
    SELECT max(resource_id) FROM statement WHERE account = ?1
    UNION ALL
    SELECT (SELECT max(resource_id) FROM statement WHERE account = ?1 AND resource_id < known.id)
      FROM known WHERE known.id IS NOT NULL)
  SELECT json_group_array(id),
      json_group_array((SELECT max(due_time) FROM statement WHERE account = ?1 AND resource_id = known.id)),
      json_group_array((SELECT due_time FROM statement INDEXED BY statement_resource
        WHERE account = ?1 AND resource_id = known.id AND charged > 0 ORDER BY due_time DESC LIMIT 1))
    FROM known WHERE id IS NOT NULL`
/**
 * One text of JSON for each resource that ?3 lists: its type, and its statements that end at ?2 or later. Texts inside
 * JSON are as the store holds them (store/statement-text.ts).
 */
const byResource = `
  SELECT (SELECT json_array(max(resource_type), ${asJson(ofResource)}) FROM statement INDEXED BY statement_resource
      WHERE account = ?1 AND resource_id = listed.value AND due_time >= ?2)
    FROM json_each(?3) AS listed`
/** What begins at ?2 or later and ends before that: it counts where it begins. */
const reversed = `
  SELECT ${asJson(columns)} FROM statement INDEXED BY statement_reversed
    WHERE account = ?1 AND due_time < started_time AND due_time < ?2 AND started_time >= ?2`

type Column = readonly SqlValue[]
const isColumn = (value: unknown): value is Column => Array.isArray(value)

const originalPart = (value: unknown): unknown => {
  if (typeof value === 'string') return originalText(value)
  return Array.isArray(value) ? value.map(originalPart) : value
}

/** Returns the list of a text of JSON from the store, with its texts as they were given to the store. */
function listOf(json: SqlValue | undefined): readonly unknown[] {
  const text = textOf(json)
  const stored = storedText(text)
  const values: unknown = JSON.parse(stored)
  if (!Array.isArray(values)) throw new TypeError('the store answered no list')
  return stored === text ? values : values.map(originalPart)
}
/** Returns texts as JSON whose parts SQL compares with what the store holds. */
const jsonOf = (texts: readonly string[]): string => originalText(JSON.stringify(texts.map(storedText)))

const columnsOf = ([row = []]: readonly Column[]): readonly Column[] => row.map(listOf).filter(isColumn)

/** Adds the charges of all rows. Answers how many they are. */
function addAll(
  gather: ReturnType<typeof gatherCharges>,
  [from = [], until = [], millionths = [], currency = [], ...others]: readonly Column[],
  only?: { readonly resource: string; readonly type: string | null },
): number {
  const [resource = [], type = []] = others
  for (let row = 0; row < from.length; row += 1)
    gather.add({
      resource: only?.resource ?? textOf(resource[row]),
      type: only ? only.type : textOrNull(type[row]),
      from: numberOf(from[row]),
      until: numberOf(until[row]),
      millionths: numberOf(millionths[row]),
      currency: textOrNull(currency[row]),
    })
  return from.length
}

/**
 * The statements of an account in the ledger, in the order of time: those of `before` that began before `from` (epoch
 * seconds), and all later ones anew, a few at a time, so that nothing else has to wait. A row that is written during it is
 * in this or the next reading. Fails with local-fault.
 */
export async function readCharges(
  database: Database,
  account: AccountId,
  before?: Charges,
  from = Number.MIN_SAFE_INTEGER,
): Promise<Charges> {
  const gather = gatherCharges(before, from)
  const next = database.prepare(inOrder)
  for (let place: readonly SqlValue[] = [from, '']; ;) {
    if (addAll(gather, columnsOf(next.arrays(account, ...place))) < chunk) return gather.done()
    // Nothing can have been written in between.
    place = database.prepare(lastOfChunk).arrays(account, ...place)[0] ?? place
    await yieldToEventLoop()
  }
}

/**
 * Those of them that cover something after `since` (epoch seconds). They are read by resource, from an index that holds no
 * more than is needed (store/schema.ts). Fails with local-fault.
 */
export async function readChargesSince(
  database: Database,
  account: AccountId,
  since: number,
): Promise<Charges> {
  if (since === -Infinity) return readCharges(database, account)
  const [ids = [], ends = [], covered = []] = columnsOf(database.prepare(coverage).arrays(account))
  const resources = ids.map((id, at) => ({ id: textOf(id), until: numberOf(ends[at]) }))
  // Statements that are left out end by then. Those that cover more are read, and may be corrected to cover less.
  const coveredUntil = new Map(
    resources.map(({ id }, at) => [id, Math.min(numberOrNull(covered[at]) ?? -Infinity, since)]),
  )
  const gather = gatherCharges(undefined, since, { since, coveredUntil })
  addAll(gather, columnsOf(database.prepare(reversed).arrays(account, since)))
  const listed = resources.filter(({ until }) => until >= since).map(({ id }) => id)
  const next = database.prepare(byResource)
  let rows = 0
  // As many resources at a time as have a chunk of rows, as far as those before can say.
  for (let [done, size] = [0, 1]; done < listed.length;) {
    const some = listed.slice(done, done + size)
    for (const [at, [json]] of next.arrays(account, since, jsonOf(some)).entries()) {
      const values = listOf(json)
      const type = typeof values[0] === 'string' && values[0] !== '' ? values[0] : null
      rows += addAll(gather, values.filter(isColumn), { resource: some[at] ?? '', type })
    }
    done += some.length
    size = Math.min(16 * size, Math.max(1, Math.floor((done * chunk) / Math.max(1, rows))))
    await yieldToEventLoop()
  }
  return gather.done()
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
