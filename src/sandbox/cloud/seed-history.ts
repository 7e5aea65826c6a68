import type { Random } from '../random'
import * as seedData from './seed-data'
import * as catalog from './catalog'
import { volumeFeePerGb } from './catalog-data'
import { day, type SeedOptions } from './seed-options'
import type { UsageRecord } from './records'
import { volumeName } from './volumes'

/** Days between the creation of the oldest terminated resource and the start. */
const historyDays = 120

const pastLife = (seed: SeedOptions, random: Random): [created: number, terminated: number] => {
  const end = seed.now - random.integer(1 * day, 100 * day)
  const start = Math.max(seed.now - historyDays * day, end - random.integer(1_800, 14 * day))
  return [start, end]
}

export function seedTerminated(seed: SeedOptions, random: Random): UsageRecord[] {
  const machines = Array.from({ length: 18 }, (): UsageRecord => {
    const flavor = random.pick(catalog.flavors)
    const base = `${random.pick(seedData.purposes).name}-${random.pick(seedData.subjects)}`
    const [createdTime, terminatedTime] = pastLife(seed, random)
    const id = random.id()
    return {
      id: random.id(),
      resource: { id, name: base, displayName: base, type: 'vm' },
      perMinute: flavor.perMinute,
      createdTime,
      terminatedTime,
    }
  })
  const volumes = Array.from({ length: 7 }, (): UsageRecord => {
    const size = random.integer(1, 40) * 50
    const [createdTime, terminatedTime] = pastLife(seed, random)
    const id = random.id()
    const displayName = `${random.pick(seedData.subjects)}-data`
    return {
      id: random.id(),
      resource: { id, name: volumeName(id), displayName, type: 'volume' },
      perMinute: size * volumeFeePerGb,
      createdTime,
      terminatedTime,
    }
  })
  const oldest = machines[0]
  // One resource has the maximum age, so that every seeded cloud has the same length of history.
  if (oldest !== undefined) {
    oldest.createdTime = seed.now - historyDays * day
    oldest.terminatedTime = seed.now - 80 * day
  }
  return [...machines, ...volumes]
}
