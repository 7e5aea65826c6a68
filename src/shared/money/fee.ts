import { isSafe, rounded, wholeFromDecimal } from './money'

/** Whole 10^-15 of the currency's unit per minute: a fee per minute is far below a cent, and is rounded only once multiplied. */
export type FeePerMinute = bigint

const places = 15
const perMillionth = 10n ** BigInt(places - 6)

/** From the service's own decimal text. Null where it is no decimal number, or too large to be an exact amount. */
export const feeFromDecimal = (text: string): FeePerMinute | null => {
  const fee = wholeFromDecimal(text, places)
  return fee !== null && isSafe(rounded(fee, perMillionth)) ? fee : null
}

/** What so many whole seconds cost, in millionths, rounded once. */
export const feeFor = (fee: FeePerMinute, seconds: number): number =>
  Number(rounded(fee * BigInt(seconds), 60n * perMillionth))

/** What an hour costs of all these fees together, in millionths, rounded once. */
export const perHour = (fees: readonly FeePerMinute[]): number =>
  feeFor(
    fees.reduce((sum, fee) => sum + fee, 0n),
    3600,
  )
