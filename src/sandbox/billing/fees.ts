import { ApiError } from '../api-error'
import type { Cloud } from '../cloud/cloud'
import type { UsageRecord } from '../cloud/records'

/** Money is counted in whole millionths of a dollar, so that sums are exact. */
const microsPerDollar = 1_000_000
export const toMicros = (dollars: number): number => Math.round(dollars * microsPerDollar)
export const toDollars = (micros: number): number => micros / microsPerDollar

/** Full minutes billed until `now` (epoch seconds), and their fee in millionths of a dollar. */
export function usageAt(usage: UsageRecord, now: number): { minutes: number; fee: number } {
  const end = usage.terminatedTime ?? now
  const minutes = Math.max(0, Math.floor((end - usage.createdTime) / 60))
  return { minutes, fee: minutes * usage.perMinute }
}

/** Fees of all resources until `time`, in millionths of a dollar. */
const feesUntil = (usage: readonly UsageRecord[], time: number): number =>
  usage.reduce((sum, entry) => {
    const end = Math.min(entry.terminatedTime ?? time, time)
    return sum + usageAt({ ...entry, terminatedTime: end }, end).fee
  }, 0)

/** Credit left at `now`, in millionths of a dollar: payments less fees. May be negative. */
export const balanceOf = (cloud: Cloud): number =>
  cloud.paid() - feesUntil([...cloud.usage.values()], cloud.now())

/** Makes `balance` (millionths of a dollar) the credit that is left now. */
export const setBalance = (cloud: Cloud, balance: number): void =>
  cloud.setPaid(balance + feesUntil([...cloud.usage.values()], cloud.now()))

/** Nothing is created on credit that has run out. Throws ApiError. */
export function requireCredit(cloud: Cloud): void {
  const balance = balanceOf(cloud)
  if (balance >= 0) return
  throw new ApiError(
    'payment-required',
    `the balance is negative (${toDollars(balance).toFixed(2)} USD): nothing can be created until it is paid`,
  )
}

/** Hours that the seeded cloud runs before a fresh balance is used up, at least. */
const minimumHours = 3

/** The credit at a start, in millionths of a dollar: 500 USD, or more where the cloud is large. */
export function freshBalance(cloud: Cloud): number {
  const perMinute = [...cloud.usage.values()]
    .filter(({ terminatedTime }) => terminatedTime === null)
    .reduce((sum, usage) => sum + usage.perMinute, 0)
  return Math.max(500 * microsPerDollar, minimumHours * 60 * perMinute)
}
