import type { Random } from '../random'
import * as cast from './seed-data'
import * as catalog from './catalog'
import { volumeFeePerGb } from './catalog-data'
import { day, type Seed } from './seed-options'
import type { UsageRecord } from './records'
import { volumeName } from './volume-name'

/** Days of history: the oldest resources that are gone reach this far back. */
const historyDays = 120

/** Resources that lived once and are billed no more. */
export function seedTerminated(seed: Seed, random: Random): UsageRecord[] {
  const machines = Array.from({ length: 18 }, (): UsageRecord => {
    const flavor = random.pick(catalog.flavors)
    const base = `${random.pick(cast.purposes).name}-${random.pick(cast.subjects)}`
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
    const displayName = `${random.pick(cast.subjects)}-data`
    return {
      id: random.id(),
      resource: { id, name: volumeName(id), displayName, type: 'volume' },
      perMinute: size * volumeFeePerGb,
      createdTime,
      terminatedTime,
    }
  })
  const oldest = machines[0]
  // One resource reaches back to the beginning, so that every world has the whole history.
  if (oldest !== undefined) {
    oldest.createdTime = seed.now - historyDays * day
    oldest.terminatedTime = seed.now - 80 * day
  }
  return [...machines, ...volumes]
}

const pastLife = (seed: Seed, random: Random): [created: number, terminated: number] => {
  const end = seed.now - random.integer(1 * day, 100 * day)
  const start = Math.max(seed.now - historyDays * day, end - random.integer(1_800, 14 * day))
  return [start, end]
}
