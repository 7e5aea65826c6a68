/** Calendar day: YYYY-MM-DD. */
export type CalendarDate = string

const day = 86_400

const utcOf = (date: CalendarDate): number => Date.parse(`${date}T00:00:00Z`) / 1000
const dateOfUtc = (time: number): CalendarDate => new Date(time * 1000).toISOString().slice(0, 10)

export const addDays = (date: CalendarDate, days: number): CalendarDate => dateOfUtc(utcOf(date) + days * day)

export const firstOfMonth = (date: CalendarDate): CalendarDate => `${date.slice(0, 7)}-01`

/** Returns the first day of the month that is `months` later. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const first = new Date(`${firstOfMonth(date)}T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return first.toISOString().slice(0, 10)
}

/** Days and months in one time zone. Times are epoch seconds. */
export interface Calendar {
  readonly timeZone: string
  /** Returns the local day that contains `time`. */
  dateAt(time: number): CalendarDate
  /** Returns the first second of a day. It is later than midnight if the clocks skip midnight. */
  startOf(date: CalendarDate): number
}

/** Fails with RangeError for an unknown time zone (IANA name). */
export function calendarIn(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const starts = new Map<CalendarDate, number>()

  /** Returns the offset from UTC in seconds. */
  function offsetAt(time: number): number {
    const parts = new Map(format.formatToParts(time * 1000).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    const shown = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
    return shown / 1000 - Math.floor(time)
  }
  const dateAt = (time: number): CalendarDate => dateOfUtc(Math.floor(time) + offsetAt(time))

  function findStart(date: CalendarDate): number {
    const midnight = utcOf(date)
    // The offsets before and after the day differ if the clocks change in between.
    for (const guess of [midnight - offsetAt(midnight - day), midnight - offsetAt(midnight + day)]) {
      if (dateAt(guess) >= date && dateAt(guess - 1) < date) return guess
    }
    // The clocks skip midnight.
    let before = midnight - 2 * day
    let after = midnight + 2 * day
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (dateAt(middle) >= date) after = middle
      else before = middle
    }
    return after
  }

  return {
    timeZone,
    dateAt,
    startOf(date) {
      const start = starts.get(date) ?? findStart(date)
      starts.set(date, start)
      return start
    },
  }
}

/**
 * Returns the beginnings of the days or months in [`from`, `until`), and the end of the last one. `from` is before
 * `until`.
 */
export function bounds(
  calendar: Calendar,
  from: CalendarDate,
  until: CalendarDate,
  unit: 'day' | 'month',
): readonly number[] {
  const dates: CalendarDate[] = []
  const next = (date: CalendarDate) => (unit === 'day' ? addDays(date, 1) : addMonths(date, 1))
  for (let date = from; date < until; date = next(date)) dates.push(date)
  return [...dates, until].map(calendar.startOf)
}

const calendarOf = (timeZone: string): Calendar => {
  try {
    return calendarIn(timeZone)
  } catch {
    return calendarIn('UTC')
  }
}

/** IANA name of this computer's time zone; UTC if it has none. With an empty `TZ`, Intl returns "Etc/Unknown" or nothing. */
export function systemTimeZone(): string {
  const timeZone: unknown = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return typeof timeZone === 'string' && timeZone !== 'Etc/Unknown' ? timeZone : 'UTC'
}

let known: { readonly timeZone: string; readonly calendar: Calendar } | undefined

/** Returns the calendar of this computer's time zone; a new one after the zone changes. */
export function systemCalendar(): Calendar {
  const timeZone = systemTimeZone()
  if (!known || known.timeZone !== timeZone) known = { timeZone, calendar: calendarOf(timeZone) }
  return known.calendar
}
