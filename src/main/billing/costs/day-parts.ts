import { addDays, type Calendar } from '#shared/money/calendar'
import { portion } from '#shared/money/prorate'
import type { Charge } from './charge'

const secondsOfDay = 86_400

/** Local days of a time zone, by number. Day 0 is the first of January 1970. Times are epoch seconds. */
export interface LocalDays {
  readonly timeZone: string
  /** Returns the number of the day that contains `time`. */
  dayAt(time: number): number
  /** Returns the first second of a day. */
  startOf(day: number): number
}

export function localDays(calendar: Calendar): LocalDays {
  const starts = new Map<number, number>()
  function startOf(day: number): number {
    const start = starts.get(day) ?? calendar.startOf(addDays('1970-01-01', day))
    starts.set(day, start)
    return start
  }
  return {
    timeZone: calendar.timeZone,
    startOf,
    dayAt(time) {
      // The clocks may be ahead of UTC.
      let day = Math.floor(time / secondsOfDay) + 1
      while (startOf(day) > time) day -= 1
      return day
    },
  }
}

/**
 * Calls `add` with each local day that a charge covers (its first second) and the part of the amount that falls on it.
 * The parts add up to the amount exactly. A charge for no time belongs to the day of its `from`.
 */
export function eachDayPart(
  { from, until, millionths }: Pick<Charge, 'from' | 'until' | 'millionths'>,
  days: LocalDays,
  add: (day: number, millionths: number) => void,
): void {
  let counted = 0
  for (let day = days.dayAt(from); ; day += 1) {
    const end = days.startOf(day + 1)
    const isLast = until <= end
    const upTo = isLast ? millionths : portion(millionths, end - from, until - from)
    add(days.startOf(day), upTo - counted)
    if (isLast) return
    counted = upTo
  }
}
