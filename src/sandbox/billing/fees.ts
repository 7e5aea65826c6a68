import { ApiError } from '../api-error'
import type { Cloud } from '../cloud/cloud'
import type { UsageRecord } from '../cloud/records'

/** Money is counted in millionths of a dollar, so that sums are exact. */
const microsPerDollar = 1_000_000
export const toMicros = (dollars: number): number => Math.round(dollars * microsPerDollar)
export const toDollars = (micros: number): number => micros / microsPerDollar

/** Returns the full minutes billed until `now` (epoch seconds) and their fee in millionths of a dollar. */
export function usageAt(usage: UsageRecord, now: number): { minutes: number; fee: number } {
  const end = usage.terminatedTime ?? now
  const minutes = Math.max(0, Math.floor((end - usage.createdTime) / 60))
  return { minutes, fee: minutes * usage.perMinute }
}

/** Returns the fees of all resources until `time` in millionths of a dollar. */
const feesUntil = (usage: readonly UsageRecord[], time: number): number =>
  usage.reduce((sum, entry) => {
    const end = Math.min(entry.terminatedTime ?? time, time)
    return sum + usageAt({ ...entry, terminatedTime: end }, end).fee
  }, 0)

/** Returns the remaining credit in millionths of a dollar: payments less fees. It may be negative. */
export const balanceOf = (cloud: Cloud): number =>
  cloud.paid() - feesUntil([...cloud.usage.values()], cloud.now())

/** Sets the remaining credit to `balance` (millionths of a dollar). */
export const setBalance = (cloud: Cloud, balance: number): void =>
  cloud.setPaid(balance + feesUntil([...cloud.usage.values()], cloud.now()))

/** Throws ApiError if the credit has run out: then nothing may be created. */
export function requireCredit(cloud: Cloud): void {
  const balance = balanceOf(cloud)
  if (balance >= 0) return
  throw new ApiError(
    'payment-required',
    `the balance is negative (${toDollars(balance).toFixed(2)} USD): nothing can be created until it is paid`,
  )
}

/** Lower bound on the hours that a fresh balance lasts for the seeded cloud. */
const minimumHours = 3

/** Returns the initial credit in millionths of a dollar: 500 USD, or more for a large cloud. */
export function freshBalance(cloud: Cloud): number {
  const perMinute = [...cloud.usage.values()]
    .filter(({ terminatedTime }) => terminatedTime === null)
    .reduce((sum, usage) => sum + usage.perMinute, 0)
  return Math.max(500 * microsPerDollar, minimumHours * 60 * perMinute)
}
