import type { Amount, BilledResource, StatementView, UsageView } from '#shared/bridge/billing'
import { feeFromDecimal, perHour } from '#shared/money/fee'
import { moneyFromNumber } from '#shared/money/money'
import { billedType, type Statement, type Usage } from '#shared/service/billing'
import { type EntryCurrency, reportedCurrency } from '../currency'

/** Properties that an entry itself does not contain. */
export interface EntryContext {
  /** Returns the name of a resource, if known. */
  nameOf(resource: string): string | null
  /** Null: unknown. */
  hasEnded(resource: string): boolean | null
  /** Whether a resource is known as bare metal, which the service reports as a machine. */
  isBareMetal(resource: string): boolean
  /** `reported` is the currency of the entry. */
  currencyOf(resource: string, reported: string | null): EntryCurrency
}

const amountOf = (amount: number | null | undefined, { currency, assumed }: EntryCurrency): Amount | null => {
  const money = amount === null || amount === undefined ? null : moneyFromNumber(amount, currency)
  return money === null ? null : { money, assumed }
}

const perHourOf = (
  perMinute: number | null | undefined,
  { currency, assumed }: EntryCurrency,
): Amount | null => {
  const fee = feeFromDecimal(String(perMinute ?? ''))
  return fee === null ? null : { money: { currency, millionths: perHour([fee]) }, assumed }
}

export const statementView = (statement: Statement, context: EntryContext): StatementView => ({
  id: statement.id,
  resource: {
    id: statement.resource_id,
    name: context.nameOf(statement.resource_id),
    type: billedType(statement.resource_type || null, context.isBareMetal(statement.resource_id)),
    ended: context.hasEnded(statement.resource_id),
  },
  startedAt: statement.started_time,
  dueAt: statement.due_time,
  type: statement.type || null,
  status: statement.status || null,
  amount: amountOf(statement.amount, context.currencyOf(statement.resource_id, reportedCurrency(statement))),
})

/** Returns the resource of a usage entry, by its `known` name if the entry has none. */
export const resourceOf = (
  { resource, status, terminated_time }: Usage,
  known: string | null,
  isBareMetal = false,
): BilledResource => ({
  id: resource.id,
  name: resource.display_name || resource.name || known,
  type: billedType(resource.type || null, isBareMetal),
  ended: Boolean(terminated_time) || status?.toLowerCase() === 'terminated',
})

export const usageView = (usage: Usage, context: EntryContext): UsageView => {
  const currency = context.currencyOf(usage.resource.id, reportedCurrency(usage))
  return {
    id: usage.id,
    resource: resourceOf(usage, context.nameOf(usage.resource.id), context.isBareMetal(usage.resource.id)),
    createdAt: usage.created_time || null,
    terminatedAt: usage.terminated_time || null,
    minutes: usage.total_uptime ?? null,
    perHour: perHourOf(usage.per_minute_fee, currency),
    total: amountOf(usage.total_fee, currency),
    status: usage.status || null,
  }
}
