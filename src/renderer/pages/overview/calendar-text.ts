import type { SpendingView } from '#shared/bridge/cost'
import { dateFormat } from '#shared/locale'
import { calendarIn } from '#shared/money/calendar'

type Month = Pick<SpendingView, 'monthStart' | 'monthEnd' | 'timeZone'>

export const monthName = ({ monthStart, timeZone }: Month): string =>
  dateFormat({ month: 'long', timeZone })(monthStart)

export const monthBefore = ({ monthStart, timeZone }: Month): string =>
  dateFormat({ month: 'long', timeZone })(monthStart - 1)

/** Returns the day of the month and the number of days, by the calendar: days may have 23 or 25 hours. */
export function dayOfMonth({ monthEnd, timeZone }: Month, now: number): { day: number; days: number } {
  const calendar = calendarIn(timeZone)
  const day = (at: number): number => Number(calendar.dateAt(at).slice(8))
  return { day: day(Math.min(now, monthEnd - 1)), days: day(monthEnd - 1) }
}

/** Returns the date (YYYY-MM-DD) of an epoch second. */
export const dateOf = (at: number, timeZone: string): string => calendarIn(timeZone).dateAt(at)
