import type { GpuCost, ResourceCost } from '#shared/bridge/cost'
import { perGpuHour } from './resources'
import { keyOf, shareOf } from './shares'

interface Sum {
  readonly share: GpuCost['share']
  readonly currency: string
  readonly assumed: boolean
  readonly charged: number
  readonly estimated: number
  /** Cost and time of the resources whose number of GPUs is known. */
  readonly counted: number
  readonly gpuSeconds: number
}

/**
 * Returns the cost of a GPU-hour by model, the model with the highest cost first. Leaves out resources without GPU.
 */
export function gpuCosts(costs: readonly ResourceCost[]): GpuCost[] {
  const sums = new Map<string, Sum>()
  for (const { resource, currency, assumed, period, gpuHours } of costs) {
    const share = shareOf(resource, 'gpu')
    const spent = period.charged + period.estimated
    if (share.kind === 'none' || spent === 0) continue
    const key = `${currency} ${keyOf(share)}`
    const before = sums.get(key)
    sums.set(key, {
      share,
      currency,
      assumed: assumed || (before?.assumed ?? false),
      charged: (before?.charged ?? 0) + period.charged,
      estimated: (before?.estimated ?? 0) + period.estimated,
      counted: (before?.counted ?? 0) + (gpuHours === null ? 0 : spent),
      gpuSeconds: (before?.gpuSeconds ?? 0) + (gpuHours ?? 0) * 3600,
    })
  }
  return [...sums.values()]
    .map(({ share, currency, assumed, charged, estimated, counted, gpuSeconds }) => ({
      share,
      currency,
      assumed,
      cost: { charged, estimated },
      gpuHours: gpuSeconds > 0 ? gpuSeconds / 3600 : null,
      perGpuHour: perGpuHour(counted, gpuSeconds),
    }))
    .sort(
      (left, right) => right.cost.charged + right.cost.estimated - left.cost.charged - left.cost.estimated,
    )
}
