import type { UsageRecord } from '../cloud/records'

/** Full minutes billed until `now` (epoch seconds), and their fee in millionths of a dollar. */
export function usageAt(usage: UsageRecord, now: number): { minutes: number; fee: number } {
  const end = usage.terminatedTime ?? now
  const minutes = Math.max(0, Math.floor((end - usage.createdTime) / 60))
  return { minutes, fee: minutes * usage.perMinute }
}
