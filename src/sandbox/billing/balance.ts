import type { World } from '../cloud/cloud'
import { usageAt } from './usage'

/** Millionths of a dollar that were left at the moment the seeded history leads up to. */
const leftAtStart = 500_000_000

const spent = (world: World, now: number): number =>
  [...world.usage.values()].reduce((sum, usage) => sum + usageAt(usage, now).fee, 0)

/** Millionths of a dollar that are left to spend: what was paid in is what the seeded history cost, and some more. */
export function balanceAt(world: World, now: number): number {
  const past = [...world.usage.values()].filter(({ createdTime }) => createdTime <= world.startTime)
  const cost = past.reduce((sum, usage) => {
    const until = Math.min(usage.terminatedTime ?? world.startTime, world.startTime)
    return sum + usageAt({ ...usage, terminatedTime: until }, until).fee
  }, 0)
  return leftAtStart + cost - spent(world, now)
}
