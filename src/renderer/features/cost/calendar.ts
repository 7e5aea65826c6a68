import { type Calendar, calendarIn } from '#shared/money/calendar'

let known: Calendar | undefined

/** This computer's own calendar; another one once its time zone changes. */
export function useCalendar(): Calendar {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (known?.timeZone !== timeZone) known = calendarIn(timeZone)
  return known
}
