import { addDays, addMonths, type CalendarDate, firstOfMonth } from '#shared/money/calendar'

export const costPeriods = ['month', 'lastMonth', 'days30', 'days90', 'months12'] as const
/** A named period, or a month by its first day. */
export type CostPeriod = (typeof costPeriods)[number] | { readonly month: CalendarDate }

/** Months that can be picked: this one and those before it, the latest first. */
export const monthsBefore = (today: CalendarDate, count: number): readonly CalendarDate[] =>
  Array.from({ length: count }, (_, back) => addMonths(today, -back))

/** Days of a period; `until` is exclusive. */
export interface PeriodDays {
  readonly from: CalendarDate
  readonly until: CalendarDate
  readonly unit: 'day' | 'month'
}

/** Returns the days of a period. This month includes its future days, for the forecast. */
export function daysOfPeriod(period: CostPeriod, today: CalendarDate): PeriodDays {
  const tomorrow = addDays(today, 1)
  if (typeof period === 'object')
    return { from: period.month, until: addMonths(period.month, 1), unit: 'day' }
  switch (period) {
    case 'month':
      return { from: firstOfMonth(today), until: addMonths(today, 1), unit: 'day' }
    case 'lastMonth':
      return { from: addMonths(today, -1), until: firstOfMonth(today), unit: 'day' }
    case 'days30':
      return { from: addDays(today, -29), until: tomorrow, unit: 'day' }
    case 'days90':
      return { from: addDays(today, -89), until: tomorrow, unit: 'day' }
    case 'months12':
      return { from: addMonths(today, -11), until: addMonths(today, 1), unit: 'month' }
  }
}
