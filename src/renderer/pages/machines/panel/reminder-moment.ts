import { clockTime, dateFormat } from '#shared/locale'
import { t } from '../../../platform/i18n'

/** Returns the time after a number of hours in epoch seconds; null if that is not between 6 minutes and a year. */
export function afterHours(text: string, now: number): number | null {
  const hours = Number(text.trim().replace(',', '.'))
  if (text.trim() === '' || !(hours >= 0.1 && hours <= 8_784)) return null
  return Math.round(now + hours * 3_600)
}

const dayAndTime = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

/** Returns the day and time of a moment on another day, such as "Sat, Nov 28, 18:00". Both are epoch seconds. */
export const otherDay = (at: number, now: number): string | undefined =>
  new Date(at * 1000).toDateString() === new Date(now * 1000).toDateString() ? undefined : dayAndTime(at)

/** Returns a moment as it is used in a sentence. Both are epoch seconds. */
export const momentText = (at: number, now: number): string =>
  otherDay(at, now) ?? t('reminders.today', { time: clockTime(at) })
