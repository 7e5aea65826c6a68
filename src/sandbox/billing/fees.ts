import type { Cloud } from '../cloud/cloud'
import type { UsageRecord } from '../cloud/records'

/** Money is counted in whole millionths of a dollar, so that sums are exact. */
const microsPerDollar = 1_000_000
export const toDollars = (micros: number): number => micros / microsPerDollar

/** Full minutes billed until `now` (epoch seconds), and their fee in millionths of a dollar. */
export function usageAt(usage: UsageRecord, now: number): { minutes: number; fee: number } {
  const end = usage.terminatedTime ?? now
  const minutes = Math.max(0, Math.floor((end - usage.createdTime) / 60))
  return { minutes, fee: minutes * usage.perMinute }
}

/** Credit at the end of the seeded history, in millionths of a dollar. */
const initialBalance = 500 * microsPerDollar

/** Credit left at `now`, in millionths of a dollar: the payments cover the seeded history and `initialBalance`. */
export function balanceAt(cloud: Cloud, now: number): number {
  const usage = [...cloud.usage.values()]
  const feesUntil = (time: number): number =>
    usage.reduce((sum, entry) => {
      const end = Math.min(entry.terminatedTime ?? time, time)
      return sum + usageAt({ ...entry, terminatedTime: end }, end).fee
    }, 0)
  return initialBalance + feesUntil(cloud.startTime) - feesUntil(now)
}
