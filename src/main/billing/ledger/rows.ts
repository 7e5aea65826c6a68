import { FailureError } from '#shared/failure'
import { moneyFromNumber } from '#shared/money/money'
import { chargedAmount, type Statement, type Usage } from '#shared/service/billing'
import { reportedCurrency } from '../currency'
import type { SqlValue } from '../../store/database'
import type { Charge } from '../costs/charge'
import { numberOf, textOf, textOrNull } from '../row-values'

/** Columns of a row, in the order of the SQL statements in tables.ts. */
export type Row = readonly SqlValue[]

const maximumExact = 1e9

/** Returns an amount of the service as whole millionths, by its own decimal text. Fails with unexpected-answer. */
function millionthsOf(amount: number): number {
  // Most amounts have at most six decimals: then the nearest millionth equals the number that was sent.
  const nearest = Math.round(amount * 1e6)
  if (Math.abs(amount) < maximumExact && nearest / 1e6 === amount) return nearest === 0 ? 0 : nearest
  const money = moneyFromNumber(amount, '')
  if (money) return money.millionths
  throw new FailureError({ kind: 'unexpected-answer', expected: 'an amount', received: String(amount) })
}

/** Truncates a number. Fails with unexpected-answer if the store cannot hold it exactly. */
function whole(number: number): number {
  const trunc = Math.trunc(number)
  if (Number.isSafeInteger(trunc)) return trunc
  throw new FailureError({
    kind: 'unexpected-answer',
    expected: 'a whole number',
    received: String(number),
  })
}
const wholeOrNull = (number: number | null | undefined): number | null =>
  typeof number === 'number' ? whole(number) : null

/** Returns id, resource_id, resource_type, started_time, due_time, type, status, millionths, currency. */
export const statementRow = (statement: Statement): Row => [
  statement.id,
  statement.resource_id,
  statement.resource_type,
  whole(statement.started_time),
  whole(statement.due_time),
  statement.type ?? null,
  statement.status ?? null,
  millionthsOf(statement.amount),
  reportedCurrency(statement),
]

/** Returns the charge of a row that `statementRow` made. */
export function chargeOfRow(row: Row): Charge {
  const [, resource, type, from, until, , status, millionths, currency] = row
  return {
    resource: textOf(resource),
    type: textOrNull(type),
    from: numberOf(from),
    until: numberOf(until),
    millionths: chargedAmount({ status: textOrNull(status), amount: numberOf(millionths) }),
    currency: textOrNull(currency),
  }
}

/**
 * Returns id, resource_id, name, display_name, type, per_minute, total_fee, total_uptime, created_time,
 * terminated_time, status, currency.
 */
export const usageRow = (usage: Usage): Row => [
  usage.id,
  usage.resource.id,
  usage.resource.name ?? null,
  usage.resource.display_name ?? null,
  usage.resource.type ?? null,
  typeof usage.per_minute_fee === 'number' ? String(usage.per_minute_fee) : null,
  typeof usage.total_fee === 'number' ? millionthsOf(usage.total_fee) : null,
  wholeOrNull(usage.total_uptime),
  wholeOrNull(usage.created_time),
  wholeOrNull(usage.terminated_time),
  usage.status ?? null,
  reportedCurrency(usage),
]
