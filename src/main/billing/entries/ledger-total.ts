import type { AccountId } from '#shared/bridge/account'
import type { BillingQuery, BillingTotal } from '#shared/bridge/billing'
import type { LedgerState } from '#shared/bridge/store'
import type { Store } from '../../store/database'
import type { SqlValue } from '../../store/sql'
import type { Currencies } from '../currency'
import { ledgerTable } from '../ledger/tables'
import { unreadableCount } from '../ledger/unreadable-rows'
import { createTotal } from './total'

export interface LedgerTotalDeps {
  readonly store: Pick<Store, 'database'>
  readonly ledger: { state(account: AccountId): LedgerState }
  readonly currencies: Pick<Currencies, 'of'>
}

const text = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '')
const whole = (value: SqlValue | undefined): number => (typeof value === 'number' ? value : 0)

/** The same conditions as the service is asked with (query.ts), over the ledger's columns. */
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
 * What a table of statements comes to, out of the ledger: at once, however many there are. Undefined while the ledger
 * does not know all of them, and for usage, which changes by the minute and is soon read. Fails with local-fault.
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
    // Which of them pass a filter is for the service to say.
    if (unreadable > 0 && values.length > 0) return undefined
    // TOTAL is exact as long as the sum is, and does not fail beyond that.
    const rows = database
      .prepare(
        `SELECT resource_id, currency, TOTAL(charged), COUNT(*) FROM statement
         WHERE account = ?${sql} GROUP BY resource_id, currency`,
      )
      .arrays(account, ...values)
    const total = createTotal()
    for (const [resource, reported, millionths, count] of rows) {
      const { currency, assumed } = currencies.of(account, text(resource), text(reported) || null)
      total.add({ money: { currency, millionths: whole(millionths) }, assumed }, whole(count))
    }
    const sum = total.sum()
    const counts = { entries: sum.entries + unreadable, unreadable: sum.unreadable + unreadable }
    return { ...sum, ...counts, complete: true, source: { kind: 'ledger', asOf: lastSync } }
  }
