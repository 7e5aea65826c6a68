import type { AccountId } from '#shared/bridge/account'
import type { Database } from '../store/database'
import { type Charge, covers } from './costs/charge'
import { numberOf } from './row-values'

/** Epoch seconds: [`since`, `until`). */
interface TimeSpan {
  readonly since: number
  readonly until: number
}

/** Charge of a statement before a change and after it. */
export interface ChargeChange {
  readonly before: Charge | undefined
  readonly after: Charge | undefined
}

/** Merges spans that overlap or touch. */
export function mergeSpans(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const merged: TimeSpan[] = []
  for (const span of [...spans].sort((left, right) => left.since - right.since)) {
    const last = merged.at(-1)
    if (last && span.since <= last.until)
      merged[merged.length - 1] = { since: last.since, until: Math.max(last.until, span.until) }
    else merged.push(span)
  }
  return merged
}

const spanOf = ({ from, until }: Charge): TimeSpan => ({ since: from, until })

/** Whether a change can only add covered time. */
function onlyExtends({ before, after }: ChargeChange): boolean {
  if (!before || !covers(before)) return true
  if (!after || !covers(after) || after.resource !== before.resource) return false
  return after.from <= before.from && after.until >= before.until
}

/** Table `covered_time` of one account (store/schema.ts). Methods fail with local-fault. */
export function coveredTime(database: Database, account: AccountId) {
  const following = database.prepare(
    `SELECT since, until FROM covered_time
     WHERE account = ? AND resource_id = ? AND until >= ? ORDER BY until LIMIT 1`,
  )
  const remove = database.prepare(
    'DELETE FROM covered_time WHERE account = ? AND resource_id = ? AND until = ?',
  )
  const extend = database.prepare(
    'UPDATE covered_time SET since = ? WHERE account = ? AND resource_id = ? AND until = ?',
  )
  const insert = database.prepare(
    'INSERT INTO covered_time (account, resource_id, since, until) VALUES (?, ?, ?, ?)',
  )

  /** Merges a span into the spans of a resource, which neither overlap nor touch. */
  function add(resource: string, span: TimeSpan): void {
    let { since } = span
    const { until } = span
    for (;;) {
      const [row] = following.arrays(account, resource, since)
      if (!row) break
      const known = { since: numberOf(row[0]), until: numberOf(row[1]) }
      if (known.since > until) break
      if (known.until >= until) {
        // The service lists the newest statements first.
        if (known.since > since) extend.run(since, account, resource, known.until)
        return
      }
      remove.run(account, resource, known.until)
      since = Math.min(since, known.since)
    }
    insert.run(account, resource, since, until)
  }

  /** Replaces the spans of a resource by the spans of its statements. */
  function rebuild(resource: string): void {
    const spans = database
      .prepare(
        `SELECT started_time, due_time FROM statement INDEXED BY statement_resource
         WHERE account = ? AND resource_id = ? AND charged > 0 AND due_time > started_time`,
      )
      .arrays(account, resource)
      .map(([since, until]) => ({ since: numberOf(since), until: numberOf(until) }))
    database.prepare('DELETE FROM covered_time WHERE account = ? AND resource_id = ?').run(account, resource)
    for (const { since, until } of mergeSpans(spans)) insert.run(account, resource, since, until)
  }

  return {
    clear: (): void => void database.prepare('DELETE FROM covered_time WHERE account = ?').run(account),
    /** Follows changes of statements, which the table `statement` contains already. */
    update(changes: readonly ChargeChange[]): void {
      const shrunk = new Set<string>()
      const added = new Map<string, TimeSpan[]>()
      for (const change of changes) {
        const { before, after } = change
        if (before && !onlyExtends(change)) shrunk.add(before.resource)
        if (!after || !covers(after)) continue
        const spans = added.get(after.resource)
        if (spans) spans.push(spanOf(after))
        else added.set(after.resource, [spanOf(after)])
      }
      for (const resource of shrunk) rebuild(resource)
      for (const [resource, spans] of added)
        if (!shrunk.has(resource)) for (const span of mergeSpans(spans)) add(resource, span)
    },
  }
}
