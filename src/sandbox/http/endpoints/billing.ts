import { z } from 'zod'
import { balanceOf, toDollars, usageAt } from '../../billing/fees'
import type { Ledger } from '../../billing/ledger'
import type { StatementRecord } from '../../billing/statements'
import type { UsageRecord } from '../../cloud/records'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { FilteredPageParameters } from '../list-parameters'
import { Balance, Statement, Usage } from '../schemas/billing'
import { selectPage, type ListFields } from '../select-page'

const tag = 'Billing'

const statementFields: ListFields = {
  id: 'string',
  resource_id: 'string',
  resource_type: 'string',
  status: 'string',
  started_time: 'number',
  due_time: 'number',
  type: 'string',
  amount: 'number',
}

const usageFields: ListFields = {
  id: 'string',
  'resource.id': 'string',
  'resource.name': 'string',
  'resource.display_name': 'string',
  'resource.type': 'string',
  per_minute_fee: 'number',
  total_uptime: 'number',
  total_fee: 'number',
  created_time: 'number',
  terminated_time: 'number',
  status: 'string',
}

const statementView = (statement: StatementRecord) => ({
  id: statement.id,
  resource_id: statement.resource.id,
  resource_type: statement.resource.type,
  status: statement.status,
  started_time: statement.from,
  due_time: statement.to,
  type: 'lease_fee' as const,
  amount: toDollars(statement.amount),
})

const usageView = (usage: UsageRecord, now: number) => {
  const { minutes, fee } = usageAt(usage, now)
  return {
    id: usage.id,
    resource: {
      id: usage.resource.id,
      name: usage.resource.name,
      display_name: usage.resource.displayName,
      type: usage.resource.type,
    },
    per_minute_fee: toDollars(usage.perMinute),
    total_uptime: minutes,
    total_fee: toDollars(fee),
    created_time: usage.createdTime,
    ...(usage.terminatedTime === null ? {} : { terminated_time: usage.terminatedTime }),
    status: usage.terminatedTime === null ? ('active' as const) : ('terminated' as const),
  }
}

export const billingEndpoints = (cloud: Cloud, ledger: Ledger): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/billing/balance',
      tag,
      extension: true,
      summary: 'Read the balance',
      description: 'Beyond the specification. What is left to spend, by currency; it may be negative.',
      query: noQuery,
      body: noBody,
      data: Balance,
    },
    () => ({ message: 'Balance', data: { available: { USD: toDollars(balanceOf(cloud)) } } }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/billing/resources/statements',
      tag,
      summary: 'List statements',
      description:
        'One per resource and UTC day, newest first. The day that has not ended has a statement too: it is pending and grows.',
      query: FilteredPageParameters,
      body: noBody,
      data: z.array(Statement),
      paginated: true,
    },
    ({ query }) => ({
      message: 'Statements',
      ...selectPage({ items: ledger.statements(), view: statementView, fields: statementFields }, query),
    }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/billing/resources/usage',
      tag,
      summary: 'List usage by resource',
      description:
        'total_fee is per_minute_fee times total_uptime (minutes). A stopped machine continues to be billed. Bare metal instances are entries of the type vm.',
      query: FilteredPageParameters,
      body: noBody,
      data: z.array(Usage),
      paginated: true,
    },
    ({ query }) => {
      const now = cloud.now()
      const view = (usage: UsageRecord) => usageView(usage, now)
      const page = selectPage({ items: [...cloud.usage.values()], view, fields: usageFields }, query)
      return { message: 'Usage', ...page }
    },
  ),
]
