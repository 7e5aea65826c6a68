import { addDays, addMonths, type Calendar, type CalendarDate, firstOfMonth } from '#shared/money/calendar'

/** Bounds of the periods that spending is summed over. Epoch seconds. */
export interface Moments {
  readonly lastMonth: number
  readonly month: number
  readonly today: number
  readonly tomorrow: number
  readonly nextMonth: number
}

export function momentsAt(calendar: Calendar, now: number): Moments {
  const today = calendar.dateAt(now)
  return {
    lastMonth: calendar.startOf(addMonths(today, -1)),
    month: calendar.startOf(firstOfMonth(today)),
    today: calendar.startOf(today),
    tomorrow: calendar.startOf(addDays(today, 1)),
    nextMonth: calendar.startOf(addMonths(today, 1)),
  }
}

export interface Period {
  readonly from: CalendarDate
  /** First day after the period. */
  readonly until: CalendarDate
}

const longestYears = 10

/** Whether a period can be shown: not empty, and no longer than ten years. */
export const isSensible = ({ from, until }: Period): boolean =>
  from < until && until <= addMonths(from, 12 * longestYears + 1)
