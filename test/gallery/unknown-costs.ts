import type { ResourceCost, SpendingView } from '#shared/bridge/cost'
import { spending } from './world'

const zero = { charged: 0, estimated: 0 }

/** Spending of two running resources with unknown prices. */
export const unpricedSpending = {
  currency: 'USD',
  assumed: true,
  perHour: 0,
  today: zero,
  month: zero,
  lastMonth: zero,
  forecast: { total: 0, rest: 0, running: 2, perHour: 0, unpriced: 2, undated: 0 },
}
export const unpricedView: SpendingView = { ...spending, history: 'partial', currencies: [unpricedSpending] }

/** Spending of a resource that runs since an unknown time. */
export const undatedSpending = {
  ...unpricedSpending,
  perHour: 6_000_000,
  forecast: { ...unpricedSpending.forecast, total: 9_000_000, unpriced: 0, undated: 1 },
}

/** A machine with an unknown price. */
export const unpricedItem: ResourceCost = {
  resource: {
    id: 'm-1',
    type: 'vm',
    name: 'm-1',
    state: 'active',
    flavor: null,
    gpu: null,
    gpuCount: null,
    region: null,
    createdAt: null,
    terminatedAt: null,
    firstSeen: null,
    lastSeen: null,
  },
  currency: 'USD',
  assumed: false,
  period: zero,
  seconds: 0,
  gpuHours: null,
  perGpuHour: null,
  life: null,
  perHour: null,
}
