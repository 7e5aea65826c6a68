import { isSafe, rounded, wholeFromDecimal } from './money'

/**
 * Whole 10^-15 of the currency's unit per minute. A fee per minute is far below a cent, so only its products are
 * rounded.
 */
export type FeePerMinute = bigint

const places = 15
const perMillionth = 10n ** BigInt(places - 6)

/** Parses the service's own decimal text. Null if it is no decimal number, or too large to be exact. */
export const feeFromDecimal = (text: string): FeePerMinute | null => {
  const fee = wholeFromDecimal(text, places)
  return fee !== null && isSafe(rounded(fee, perMillionth)) ? fee : null
}

/** Returns the cost of whole seconds in millionths, rounded once. */
export const feeFor = (fee: FeePerMinute, seconds: number): number =>
  Number(rounded(fee * BigInt(seconds), 60n * perMillionth))

/** Returns the cost of an hour of all fees together in millionths, rounded once. */
export const perHour = (fees: readonly FeePerMinute[]): number =>
  feeFor(
    fees.reduce((sum, fee) => sum + fee, 0n),
    3600,
  )
