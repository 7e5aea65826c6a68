import type { SpendingView } from '#shared/bridge/cost'
import { dateFormat } from '#shared/locale'
import { calendarIn } from '#shared/money/calendar'

type Month = Pick<SpendingView, 'monthStart' | 'monthEnd' | 'timeZone'>

/** The month's name: `November`. */
export const monthName = ({ monthStart, timeZone }: Month): string =>
  dateFormat({ month: 'long', timeZone })(monthStart)

/** The name of the month before. */
export const monthBefore = ({ monthStart, timeZone }: Month): string =>
  dateFormat({ month: 'long', timeZone })(monthStart - 1)

/** Which day of the month it is, of how many. Days may have 23 or 25 hours: the calendar counts them. */
export function dayOfMonth({ monthEnd, timeZone }: Month, now: number): { day: number; days: number } {
  const calendar = calendarIn(timeZone)
  const day = (at: number): number => Number(calendar.dateAt(at).slice(8))
  return { day: day(Math.min(now, monthEnd - 1)), days: day(monthEnd - 1) }
}

/** YYYY-MM-DD of a moment (epoch seconds). */
export const dateOf = (at: number, timeZone: string): string => calendarIn(timeZone).dateAt(at)
