import type {
  BillingQuery,
  BilledResource,
  StatementFilter,
  StatementSort,
  UsageSort,
} from '#shared/bridge/billing'
import { addDays, addMonths, type Calendar, type CalendarDate, firstOfMonth } from '#shared/money/calendar'

export const periods = ['all', 'month', 'lastMonth', 'days30', 'days90', 'year', 'dates'] as const
export type PeriodName = (typeof periods)[number]

/** The user's filter of a table. Empty texts and null are no condition. */
export interface FilterDraft {
  readonly period: PeriodName
  /** First and last day if the period is `dates`; empty: open. */
  readonly first: CalendarDate
  readonly last: CalendarDate
  readonly resource: BilledResource | null
  /** Part of the resource's name; only usage entries have names. */
  readonly name: string
  readonly resourceType: string | null
  readonly chargeType: string | null
  readonly status: string | null
}

export const noFilter: FilterDraft = {
  period: 'all',
  first: '',
  last: '',
  resource: null,
  name: '',
  resourceType: null,
  chargeType: null,
  status: null,
}

export const isFiltered = (draft: FilterDraft): boolean =>
  draft.period !== 'all' ||
  draft.name !== '' ||
  [draft.resource, draft.resourceType, draft.chargeType, draft.status].some((part) => part !== null)

/** Returns the first and the last day of a period; absent: open. */
function daysOf(
  draft: FilterDraft,
  today: CalendarDate,
): { readonly first?: CalendarDate; readonly last?: CalendarDate } {
  switch (draft.period) {
    case 'all':
      return {}
    case 'month':
      return { first: firstOfMonth(today) }
    case 'lastMonth':
      return { first: addMonths(today, -1), last: addDays(firstOfMonth(today), -1) }
    case 'days30':
      return { first: addDays(today, -29) }
    case 'days90':
      return { first: addDays(today, -89) }
    case 'year':
      return { first: `${today.slice(0, 4)}-01-01` }
    case 'dates':
      return {
        ...(draft.first === '' ? {} : { first: draft.first }),
        ...(draft.last === '' ? {} : { last: draft.last }),
      }
  }
}

/** Returns [`from`, `to`) in epoch seconds, by the days of the calendar; `now` in epoch seconds. */
export function boundsOf(
  draft: FilterDraft,
  calendar: Calendar,
  now: number,
): Pick<StatementFilter, 'from' | 'to'> {
  const { first, last } = daysOf(draft, calendar.dateAt(now))
  return {
    ...(first === undefined ? {} : { from: calendar.startOf(first) }),
    ...(last === undefined ? {} : { to: calendar.startOf(addDays(last, 1)) }),
  }
}

export type Sorting<Key extends string> = { readonly key: Key; readonly descending: boolean }
export type TableName = BillingQuery['kind']

export function queryOf(
  table: TableName,
  draft: FilterDraft,
  sorting: { readonly statements: Sorting<StatementSort>; readonly usage: Sorting<UsageSort> },
  calendar: Calendar,
  now: number,
): BillingQuery {
  const filter = {
    ...boundsOf(draft, calendar, now),
    ...(draft.resource === null ? {} : { resource: draft.resource.id }),
    ...(draft.resourceType === null ? {} : { resourceType: draft.resourceType }),
    ...(draft.status === null ? {} : { status: draft.status }),
  }
  if (table === 'usage') {
    const { key, descending } = sorting.usage
    const withName = draft.name === '' ? filter : { ...filter, name: draft.name }
    return { kind: table, filter: withName, sort: key, descending }
  }
  const { key, descending } = sorting.statements
  return {
    kind: table,
    filter: { ...filter, ...(draft.chargeType === null ? {} : { type: draft.chargeType }) },
    sort: key,
    descending,
  }
}

export const billingViews = ['costs', 'statements', 'usage'] as const
export type BillingView = (typeof billingViews)[number]
