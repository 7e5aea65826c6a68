import type { AccountId } from '#shared/bridge/account'
import type { BillingQuery, BillingTotal } from '#shared/bridge/billing'
import type { LedgerState } from '#shared/bridge/store'
import type { Store } from '../../store/database'
import type { SqlValue } from '../../store/sql'
import type { Currencies } from '../currency'
import { ledgerTable } from '../ledger/tables'
import { unreadableCount } from '../ledger/unreadable-rows'
import { numberOf, textOf, textOrNull } from '../row-values'
import { createTotal } from './total'

export interface LedgerTotalDeps {
  readonly store: Pick<Store, 'database'>
  readonly ledger: { state(account: AccountId): LedgerState }
  readonly currencies: Pick<Currencies, 'of'>
}

/** Returns SQL for the conditions of a request (query.ts) over the columns of the ledger. */
function conditionsOf(query: Extract<BillingQuery, { kind: 'statements' }>): {
  readonly sql: string
  readonly values: readonly SqlValue[]
} {
  const { from, to, resource, resourceType, type, status } = query.filter
  const all: readonly (readonly [sql: string, value: SqlValue | undefined])[] = [
    ['started_time >= ?', from],
    ['started_time < ?', to],
    ['resource_id = ?', resource],
    ['resource_type = ?', resourceType],
    ['type = ?', type],
    ['status = ?', status],
  ]
  const set = all.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  return { sql: set.map(({ sql }) => ` AND ${sql}`).join(''), values: set.map(({ value }) => value) }
}

/**
 * Returns the total of a table of statements from the ledger, at once for any length. Undefined if the ledger is
 * incomplete, and for usage, which changes every minute and is short. Fails with local-fault.
 */
export const ledgerTotal =
  ({ store, ledger, currencies }: LedgerTotalDeps) =>
  (account: AccountId, query: BillingQuery): BillingTotal | undefined => {
    const database = store.database()
    if (query.kind !== 'statements' || database === undefined) return undefined
    const { complete, lastSync } = ledger.state(account)
    if (!complete || lastSync === null) return undefined
    const { sql, values } = conditionsOf(query)
    const unreadable = unreadableCount(ledgerTable(database, account, 'statements'))
    // Only the service can match unreadable statements against a filter.
    if (unreadable > 0 && values.length > 0) return undefined
    // TOTAL is exact up to 2^53, and does not fail beyond that.
    const rows = database
      .prepare(
        `SELECT resource_id, currency, TOTAL(charged), COUNT(*) FROM statement
         WHERE account = ?${sql} GROUP BY resource_id, currency`,
      )
      .arrays(account, ...values)
    const total = createTotal()
    for (const [resource, reported, millionths, count] of rows) {
      const { currency, assumed } = currencies.of(account, textOf(resource), textOrNull(reported))
      total.add({ money: { currency, millionths: numberOf(millionths) }, assumed }, numberOf(count))
    }
    const sum = total.sum()
    const counts = { entries: sum.entries + unreadable, unreadable: sum.unreadable + unreadable }
    return { ...sum, ...counts, complete: true, source: { kind: 'ledger', asOf: lastSync } }
  }
