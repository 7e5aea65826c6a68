import type { SpendingView } from '#shared/bridge/cost'

type Month = Pick<SpendingView, 'monthStart' | 'monthEnd' | 'timeZone'>

/** The month's name: `November`. */
export const monthName = ({ monthStart, timeZone }: Month): string =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone }).format(monthStart * 1000)

/** The name of the month before. */
export const monthBefore = ({ monthStart, timeZone }: Month): string =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone }).format((monthStart - 1) * 1000)

/** Which day of the month it is, of how many. Days may have 23 or 25 hours: the calendar counts them. */
export function dayOfMonth({ monthEnd, timeZone }: Month, now: number): { day: number; days: number } {
  const format = new Intl.DateTimeFormat('en', { day: 'numeric', timeZone })
  const day = (at: number): number => Number(format.format(at * 1000))
  return { day: day(Math.min(now, monthEnd - 1)), days: day(monthEnd - 1) }
}

/** YYYY-MM-DD of a moment (epoch seconds). */
export function dateOf(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone,
  }).formatToParts(at * 1000)
  const part = (type: 'year' | 'month' | 'day') => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** The date so many days later, or earlier. */
export const daysFrom = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
