import type { Books } from '../billing/ledger'
import { usageAt } from '../billing/usage'
import type { World } from '../cloud/cloud'

/** The sandbox's own books: whole millionths of a dollar, per resource and altogether. Times are epoch seconds. */
export function readLedger(world: World, books: Books) {
  const now = world.now()
  const charged = new Map<string, { count: number; amount: number }>()
  for (const { resource, amount } of books.statements()) {
    const sum = charged.get(resource.id) ?? { count: 0, amount: 0 }
    charged.set(resource.id, { count: sum.count + 1, amount: sum.amount + amount })
  }
  const resources = [...world.usage.values()].map((usage) => {
    const { minutes, fee } = usageAt(usage, now)
    const statements = charged.get(usage.resource.id)
    return {
      usage_id: usage.id,
      resource_id: usage.resource.id,
      resource_type: usage.resource.type,
      name: usage.resource.displayName,
      created_time: usage.createdTime,
      terminated_time: usage.terminatedTime,
      per_minute: usage.perMinute,
      minutes,
      fee,
      statements: statements?.count ?? 0,
      charged: statements?.amount ?? 0,
    }
  })
  const active = resources.filter((resource) => resource.terminated_time === null)
  return {
    now,
    currency: 'USD',
    unit: 'millionths',
    resources,
    totals: {
      fee: sum(resources.map((resource) => resource.fee)),
      charged: sum(resources.map((resource) => resource.charged)),
      per_minute: sum(active.map((resource) => resource.per_minute)),
    },
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
