import type { AccountId } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import { yieldToEventLoop } from '../../core/clock'
import type { Database } from '../../store/database'
import type { CostDayTable } from '../cost-day-table'
import type { ChargeChange } from '../covered-time'
import { numberOf, textOf } from '../row-values'
import { ListProgress } from './progress'
import { chargeOfRow, type Row } from './rows'

/** Lists of the service in the ledger. */
export type ListName = 'statements' | 'usage'

const statementColumns = [
  'id',
  'resource_id',
  'resource_type',
  'started_time',
  'due_time',
  'type',
  'status',
  'millionths',
  'currency',
]
const usageColumns = [
  'id',
  'resource_id',
  'name',
  'display_name',
  'type',
  'per_minute',
  'total_fee',
  'total_uptime',
  'created_time',
  'terminated_time',
  'status',
  'currency',
]

/**
 * SQL of a table. A table with `seen_at` is written at every sighting. In other tables, unchanged rows are not
 * written.
 */
const sqlOf = (table: string, columns: readonly string[], keepsSeenAt: boolean) => {
  const [, ...data] = columns
  const listed = data.join(', ')
  const excluded = data.map((column) => `excluded.${column}`).join(', ')
  const settings = data.map((column) => `${column} = excluded.${column}`).join(', ')
  const seen = keepsSeenAt ? ['seen_sweep', 'seen_at'] : ['seen_sweep']
  const seenSettings = seen.map((column) => `${column} = excluded.${column}`).join(', ')
  const places = Array.from({ length: columns.length + seen.length + 1 }, () => '?').join(', ')
  const insert = `INSERT INTO ${table} (account, ${seen.join(', ')}, ${columns.join(', ')}) VALUES (${places})
      ON CONFLICT (account, id) DO`
  return {
    add: `${insert} NOTHING`,
    // Writes and counts only changed rows.
    put: `${insert} UPDATE SET ${settings}, ${seenSettings} WHERE (${listed}) IS NOT (${excluded})`,
    meet: keepsSeenAt
      ? `UPDATE ${table} SET seen_sweep = max(seen_sweep, ?), seen_at = ? WHERE account = ? AND id = ?`
      : `UPDATE ${table} SET seen_sweep = ?1 WHERE account = ?2 AND id = ?3 AND seen_sweep < ?1`,
    spare: `UPDATE ${table} SET seen_sweep = max(seen_sweep, ?) WHERE account = ? AND id = ?`,
    met: `SELECT seen_sweep AS sweep FROM ${table} WHERE account = ? AND id = ?`,
    count: `SELECT count(*) AS count FROM ${table} WHERE account = ?`,
    countMet: `SELECT count(*) AS count FROM ${table} WHERE account = ? AND seen_sweep = ?`,
    old: `SELECT id FROM ${table} WHERE account = ? AND seen_sweep >= ? AND seen_sweep < ? LIMIT ?`,
    some: `SELECT id FROM ${table} WHERE account = ? LIMIT ?`,
    remove: `DELETE FROM ${table} WHERE account = ? AND id = ?`,
  }
}

const sql = {
  statements: sqlOf('statement', statementColumns, false),
  usage: sqlOf('usage_entry', usageColumns, true),
} as const

/** Rows removed in one transaction. */
const removedAtOnce = 1_000

/**
 * One of an account's lists in the store. `costDays` follows changes of statements; callers that only read need none.
 * Methods fail with local-fault.
 */
export function ledgerTable(
  database: Database,
  account: AccountId,
  list: ListName,
  costDays?: Pick<CostDayTable, 'read' | 'update' | 'clear' | 'forget'>,
) {
  const { add, put, meet, spare, met, count, countMet, old, some, remove } = sql[list]

  const removeRows = (ids: readonly string[]): void =>
    ids.forEach((id) => database.prepare(remove).run(account, id))

  function removeWithCosts(ids: readonly string[]): void {
    const charges = costDays?.read(ids)
    removeRows(ids)
    if (charges) costDays?.update([...charges.values()].map((before) => ({ before, after: undefined })))
  }

  /** Calls `removed` after each transaction. Fails with cancelled once `stopped`. */
  async function removeAll(
    find: () => readonly (readonly unknown[])[],
    removeFound: (ids: readonly string[]) => void,
    stopped: () => boolean = () => false,
    removed: (rows: number) => void = () => undefined,
  ): Promise<void> {
    for (let rows = find(); rows.length > 0; rows = find()) {
      const gone = rows.flatMap(([id]) => (typeof id === 'string' ? [id] : []))
      database.transaction(() => removeFound(gone))
      removed(gone.length)
      await yieldToEventLoop()
      if (stopped()) throw new FailureError({ kind: 'cancelled' })
    }
  }

  return {
    /**
     * Stores rows that a sweep met, in the caller's transaction. `seenAt` is the time of the request, in epoch
     * seconds. Returns the number of new or changed rows.
     */
    put(rows: readonly Row[], sweep: number, seenAt: number): number {
      const seen = list === 'usage' ? [sweep, Math.floor(seenAt)] : [sweep]
      const addRow = database.prepare(add)
      const putRow = database.prepare(put)
      const meetRow = database.prepare(meet)
      const changes: ChargeChange[] = []
      const known = rows.filter((row) => {
        const isNew = addRow.run(account, ...seen, ...row) > 0
        if (isNew && costDays) changes.push({ before: undefined, after: chargeOfRow(row) })
        return !isNew
      })
      let changed = rows.length - known.length
      const charges = costDays?.read(known.map(([id]) => textOf(id)))
      for (const row of known) {
        const id = textOf(row[0])
        if (putRow.run(account, ...seen, ...row) === 0) {
          meetRow.run(...seen, account, id)
          continue
        }
        changed += 1
        if (!charges) continue
        const after = chargeOfRow(row)
        changes.push({ before: charges.get(id), after })
        // A page may contain a statement twice.
        charges.set(id, after)
      }
      costDays?.update(changes)
      return changed
    },
    /** Marks rows that the sweep met but could not read as met. */
    spare: (ids: readonly string[], sweep: number): void =>
      ids.forEach((id) => database.prepare(spare).run(sweep, account, id)),
    /** Whether this sweep met the row. */
    isMet: (id: string, sweep: number): boolean =>
      numberOf(database.prepare(met).get(account, id)?.sweep) >= sweep,
    count: (): number => numberOf(database.prepare(count).get(account)?.count),
    countMet: (sweep: number): number => numberOf(database.prepare(countMet).get(account, sweep)?.count),
    /**
     * Removes rows whose last sweep is in [`from`, `before`). Calls `removed` whenever rows are gone. Fails with
     * cancelled if stopped.
     */
    removeBetween: (
      from: number,
      before: number,
      stopped: () => boolean,
      removed?: (rows: number) => void,
    ): Promise<void> =>
      removeAll(
        () => database.prepare(old).arrays(account, from, before, removedAtOnce),
        removeWithCosts,
        stopped,
        removed,
      ),
    /** Removes the costs, then all rows, of an account that is gone. */
    async clear(): Promise<void> {
      costDays?.clear()
      await removeAll(() => database.prepare(some).arrays(account, removedAtOnce), removeRows)
      costDays?.forget()
    },
    transaction: database.transaction,
    progress: (): ListProgress => {
      const text = database
        .prepare('SELECT state FROM ledger_sync WHERE account = ? AND list = ?')
        .get(account, list)?.state
      return ListProgress.parse(typeof text === 'string' ? JSON.parse(text) : {})
    },
    keepProgress(progress: ListProgress): void {
      database
        .prepare('INSERT OR REPLACE INTO ledger_sync (account, list, state) VALUES (?, ?, ?)')
        .run(account, list, JSON.stringify(progress))
    },
    forgetProgress(): void {
      database.prepare('DELETE FROM ledger_sync WHERE account = ? AND list = ?').run(account, list)
    },
  }
}
export type LedgerTable = ReturnType<typeof ledgerTable>

/** A statement that ended this many seconds before it was read counts as settled even if it is not paid. */
const aDay = 86_400

/**
 * Returns the time from which on statements may change or be missing: the beginning of the newest one, or of the
 * oldest one that was unsettled at `asOf` (epoch seconds). Null without statements. Fails with local-fault.
 */
export function settledBefore(database: Database, account: AccountId, asOf: number): number | null {
  const newest = database
    .prepare('SELECT max(started_time) AS time FROM statement WHERE account = ?')
    .get(account)?.time
  const unsettled = database
    .prepare(
      `SELECT min(started_time) AS time FROM statement
       WHERE account = ? AND due_time >= ? AND (status IS NULL OR status <> 'paid')`,
    )
    .get(account, asOf - aDay)?.time
  if (typeof newest !== 'number') return null
  return typeof unsettled === 'number' ? Math.min(newest, unsettled) : newest
}

/** Returns the creation time of the newest known resource, in epoch seconds; null: none. Fails with local-fault. */
export function newestUsage(database: Database, account: AccountId): number | null {
  const newest = database
    .prepare('SELECT max(created_time) AS time FROM usage_entry WHERE account = ?')
    .get(account)?.time
  return typeof newest === 'number' ? newest : null
}
