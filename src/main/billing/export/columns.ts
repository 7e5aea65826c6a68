import type { Amount, StatementView, UsageView } from '#shared/bridge/billing'
import type { Cell, Column } from './cell'

const moment = (at: number | null): Cell => (at === null ? null : { at })
const millionths = (amount: Amount | null): Cell => (amount === null ? null : BigInt(amount.money.millionths))
const currency = (amount: Amount | null): Cell => amount?.money.currency ?? null
const assumed = (amount: Amount | null): Cell => amount?.assumed ?? null

export const statementColumns: readonly Column<StatementView>[] = [
  { key: 'id', cell: ({ id }) => id },
  { key: 'resource_id', cell: ({ resource }) => resource.id },
  { key: 'resource_name', cell: ({ resource }) => resource.name },
  { key: 'resource_type', cell: ({ resource }) => resource.type },
  { key: 'type', cell: ({ type }) => type },
  { key: 'status', cell: ({ status }) => status },
  { key: 'started_time', cell: ({ startedAt }) => moment(startedAt) },
  { key: 'due_time', cell: ({ dueAt }) => moment(dueAt) },
  { key: 'amount', cell: ({ amount }) => millionths(amount) },
  { key: 'currency', cell: ({ amount }) => currency(amount) },
  { key: 'currency_assumed', cell: ({ amount }) => assumed(amount) },
]

export const usageColumns: readonly Column<UsageView>[] = [
  { key: 'id', cell: ({ id }) => id },
  { key: 'resource_id', cell: ({ resource }) => resource.id },
  { key: 'resource_name', cell: ({ resource }) => resource.name },
  { key: 'resource_type', cell: ({ resource }) => resource.type },
  { key: 'status', cell: ({ status }) => status },
  { key: 'created_time', cell: ({ createdAt }) => moment(createdAt) },
  { key: 'terminated_time', cell: ({ terminatedAt }) => moment(terminatedAt) },
  { key: 'total_uptime', cell: ({ minutes }) => minutes },
  { key: 'per_hour_fee', cell: ({ perHour }) => millionths(perHour) },
  { key: 'total_fee', cell: ({ total }) => millionths(total) },
  { key: 'currency', cell: ({ perHour, total }) => currency(total ?? perHour) },
  { key: 'currency_assumed', cell: ({ perHour, total }) => assumed(total ?? perHour) },
]
