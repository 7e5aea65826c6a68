import { rounded } from './money'

/**
 * Returns `share` of `whole` seconds of an amount in millionths, rounded to the nearest, halves away from zero. All
 * arguments are integers, `whole` > 0.
 */
export function portion(millionths: number, share: number, whole: number): number {
  if (share === whole) return millionths
  const product = millionths * share
  if (!Number.isSafeInteger(product * 2))
    return Number(rounded(BigInt(millionths) * BigInt(share), BigInt(whole)))
  const size = Math.abs(product)
  // Both are safe integers, so the rounded-down quotient is exact, and faster than a remainder of doubles.
  const down = Math.floor(size / whole)
  const quotient = down + ((size - down * whole) * 2 >= whole ? 1 : 0)
  return product < 0 ? -quotient : quotient
}

/**
 * Returns the part of an amount for [`from`, `until`) that falls on [`start`, `end`). The parts of consecutive
 * periods add up to the amount exactly. An amount for no time belongs to the period that contains `from`.
 */
export function shareOf(millionths: number, from: number, until: number, start: number, end: number): number {
  if (until <= from) return from >= start && from < end ? millionths : 0
  const whole = until - from
  const before = Math.max(0, Math.min(start, until) - from)
  const upTo = Math.max(0, Math.min(end, until) - from)
  return upTo === before ? 0 : portion(millionths, upTo, whole) - portion(millionths, before, whole)
}
