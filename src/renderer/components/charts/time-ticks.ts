import { dateFormat } from '#shared/locale'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Steps between times on an axis, in seconds: what people count in. */
const steps = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((one) => one * minute),
  ...[1, 2, 3, 6, 12].map((one) => one * hour),
  ...[1, 2, 3, 7, 14, 28, 56, 112, 224, 365].map((one) => one * day),
]

/** A time on an axis, epoch seconds; `begins` what its label has to name. */
export interface TimeTick {
  readonly at: number
  readonly begins: 'day' | 'minute' | 'second'
}

/** Midnight before or at `at`, in this computer's zone. */
function midnight(at: number): Date {
  const date = new Date(at * 1000)
  date.setHours(0, 0, 0, 0)
  return date
}

function dayTicks(from: number, to: number, days: number): readonly TimeTick[] {
  const ticks: TimeTick[] = []
  // Days are stepped by the calendar: where the clock changes, one has 23 or 25 hours.
  for (const date = midnight(from); date.getTime() / 1000 <= to; date.setDate(date.getDate() + days)) {
    const at = date.getTime() / 1000
    if (at >= from) ticks.push({ at, begins: 'day' })
  }
  return ticks
}

function clockTicks(from: number, to: number, step: number): readonly TimeTick[] {
  const ticks: TimeTick[] = []
  for (const date = midnight(from); date.getTime() / 1000 <= to; date.setDate(date.getDate() + 1)) {
    for (let second = 0; second < day; second += step) {
      const at = new Date(date)
      at.setHours(0, 0, second, 0)
      const time = at.getTime() / 1000
      // An hour that the clock leaves out or repeats is named once.
      if (time < from || time > to || time <= (ticks.at(-1)?.at ?? -Infinity)) continue
      ticks.push({ at: time, begins: second === 0 ? 'day' : step < minute ? 'second' : 'minute' })
    }
  }
  return ticks
}

/** At most `most` round times of this computer's zone from `from` to `to`, epoch seconds. */
export function timeTicks(from: number, to: number, most: number): readonly TimeTick[] {
  if (!(to > from)) return []
  const wanted = (to - from) / Math.max(1, most)
  const step = steps.find((one) => one >= wanted) ?? 365 * day
  return step >= day ? dayTicks(from, to, Math.round(step / day)) : clockTicks(from, to, step)
}

const formats = {
  day: dateFormat({ day: 'numeric', month: 'short' }),
  minute: dateFormat({ hour: '2-digit', minute: '2-digit' }),
  second: dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
} as const

export const tickText = ({ at, begins }: TimeTick): string => formats[begins](at)
