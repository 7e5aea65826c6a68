import { rounded } from './money'

/** `share` of `whole` seconds of an amount in millionths, rounded to the nearest, halves away from zero. All are integers, `whole` > 0. */
export function portion(millionths: number, share: number, whole: number): number {
  if (share === whole) return millionths
  const product = millionths * share
  if (!Number.isSafeInteger(product * 2))
    return Number(rounded(BigInt(millionths) * BigInt(share), BigInt(whole)))
  const size = Math.abs(product)
  // Both are safe integers, so that their quotient rounded down is exact (and quicker than a remainder of doubles).
  const down = Math.floor(size / whole)
  const quotient = down + ((size - down * whole) * 2 >= whole ? 1 : 0)
  return product < 0 ? -quotient : quotient
}

/**
 * What of an amount for [`from`, `until`) falls on [`start`, `end`). The shares of stretches that follow each other
 * add up to exactly the amount. One for no time at all belongs to the stretch that holds its `from`.
 */
export function shareOf(millionths: number, from: number, until: number, start: number, end: number): number {
  if (until <= from) return from >= start && from < end ? millionths : 0
  const whole = until - from
  const before = Math.max(0, Math.min(start, until) - from)
  const upTo = Math.max(0, Math.min(end, until) - from)
  return upTo === before ? 0 : portion(millionths, upTo, whole) - portion(millionths, before, whole)
}
