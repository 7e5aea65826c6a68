import type { Ledger } from '../billing/ledger'
import { usageAt } from '../billing/fees'
import type { Cloud } from '../cloud/cloud'

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Reports usage and statements by resource, with totals, in millionths of a dollar. Times are epoch seconds. */
export function ledgerReport(cloud: Cloud, ledger: Ledger) {
  const now = cloud.now()
  const charged = new Map<string, { count: number; amount: number }>()
  for (const { resource, amount } of ledger.statements()) {
    const sum = charged.get(resource.id) ?? { count: 0, amount: 0 }
    charged.set(resource.id, { count: sum.count + 1, amount: sum.amount + amount })
  }
  const resources = [...cloud.usage.values()].map((usage) => {
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
