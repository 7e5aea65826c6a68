import { clockTime, dateFormat } from '#shared/locale'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Round steps between times on an axis, in seconds. */
const steps = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 3, 7, 14, 28, 56, 112, 224, 365].map((count) => count * day),
]

/** A time on an axis, in epoch seconds; `begins` is the unit that its label names. */
export interface TimeTick {
  readonly at: number
  readonly begins: 'day' | 'minute' | 'second'
}

/** Returns the last midnight until `at`, in this computer's time zone. */
function midnight(at: number): Date {
  const date = new Date(at * 1000)
  date.setHours(0, 0, 0, 0)
  return date
}

function dayTicks(from: number, to: number, days: number): readonly TimeTick[] {
  const ticks: TimeTick[] = []
  // Steps by the calendar: a day has 23 or 25 hours when the clock changes.
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
      // Labels an hour that the clock skips or repeats only once.
      if (time < from || time > to || time <= (ticks.at(-1)?.at ?? -Infinity)) continue
      ticks.push({ at: time, begins: second === 0 ? 'day' : step < minute ? 'second' : 'minute' })
    }
  }
  return ticks
}

/** Returns at most `maxTicks` round times in this computer's time zone between two epoch seconds. */
export function timeTicks(from: number, to: number, maxTicks: number): readonly TimeTick[] {
  if (!(to > from)) return []
  const minStep = (to - from) / Math.max(1, maxTicks)
  const step = steps.find((candidate) => candidate >= minStep) ?? 365 * day
  return step >= day ? dayTicks(from, to, Math.round(step / day)) : clockTicks(from, to, step)
}

const formats = {
  day: dateFormat({ day: 'numeric', month: 'short' }),
  minute: clockTime,
  second: dateFormat({ timeStyle: 'medium' }),
} as const

export const tickText = ({ at, begins }: TimeTick): string => formats[begins](at)
