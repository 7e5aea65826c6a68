import { moneyFromDecimal, type Money } from '#shared/money/money'
import { nextTimeOfDay } from '#shared/next-time-of-day'

const unitSeconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const

/** Reads a duration such as `90m`, `1h30m` or `2d` in seconds; null if it is none. Pure. */
export function readDuration(text: string): number | null {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)([dhms])/gy)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return null
  const seconds = parts.reduce((sum, [, count, unit]) => {
    const size = unit === 'd' || unit === 'h' || unit === 'm' ? unitSeconds[unit] : unitSeconds.s
    return sum + Number(count) * size
  }, 0)
  return Number.isSafeInteger(Math.round(seconds)) ? Math.round(seconds) : null
}

/** Reads the next time of the clock, or a date with a time (ISO 8601), in epoch seconds; null if it is none. Pure. */
export function readTime(text: string, now: number): number | null {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) {
    const at = Date.parse(text)
    return Number.isNaN(at) ? null : Math.round(at / 1000)
  }
  return nextTimeOfDay(text, now)
}

/** Reads an amount above zero with a decimal point; null if it is none. Pure. */
export function readPositive(text: string, currency: string): Money | null {
  const money = /^\d+(?:\.\d+)?$/.test(text) ? moneyFromDecimal(text, currency) : null
  return money !== null && money.millionths > 0 ? money : null
}
