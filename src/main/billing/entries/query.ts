import type { BillingQuery, StatementSort, UsageSort } from '#shared/bridge/billing'
import type { Filter, PageQuery } from '#shared/service/page'

/** Fields that the service sorts tables by (api-spec.md §2), dotted if nested. */
const statementFields: Readonly<Record<StatementSort, string>> = {
  startedAt: 'started_time',
  dueAt: 'due_time',
  resourceType: 'resource_type',
  type: 'type',
  status: 'status',
  amount: 'amount',
}
const usageFields: Readonly<Record<UsageSort, string>> = {
  name: 'resource.display_name',
  resourceType: 'resource.type',
  createdAt: 'created_time',
  terminatedAt: 'terminated_time',
  minutes: 'total_uptime',
  perHour: 'per_minute_fee',
  total: 'total_fee',
  status: 'status',
}

const equal = (key: string, val: string | undefined): Filter[] =>
  val === undefined ? [] : [{ key, op: 'eq', val }]

/** Returns the filter of [`from`, `to`), in whole epoch seconds. The service supports only greater and less. */
const within = (key: string, from: number | undefined, to: number | undefined): Filter[] => [
  ...(from === undefined ? [] : [{ key, op: 'gt' as const, val: from - 1 }]),
  ...(to === undefined ? [] : [{ key, op: 'lt' as const, val: to }]),
]

function filtersOf(query: BillingQuery): Filter[] {
  const { from, to, resource, resourceType, status } = query.filter
  if (query.kind === 'statements') {
    return [
      ...within('started_time', from, to),
      ...equal('resource_id', resource),
      ...equal('resource_type', resourceType),
      ...equal('type', query.filter.type),
      ...equal('status', status),
    ]
  }
  const { name } = query.filter
  return [
    ...within('created_time', from, to),
    ...equal('resource.id', resource),
    ...equal('resource.type', resourceType),
    ...equal('status', status),
    ...(name === undefined ? [] : [{ key: 'resource.display_name', op: 'contains' as const, val: name }]),
  ]
}

/** Returns the service's sorting and filters for a table, without the page. */
export const pageQueryOf = (query: BillingQuery): Pick<PageQuery, 'sortField' | 'sortOrder' | 'filters'> => ({
  sortField: query.kind === 'statements' ? statementFields[query.sort] : usageFields[query.sort],
  sortOrder: query.descending ? 'desc' : 'asc',
  filters: filtersOf(query),
})
