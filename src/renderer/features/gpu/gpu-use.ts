import type { GpuReading } from '#shared/bridge/gpu'
import type { IdleGpu } from '#shared/bridge/idle'
import { heldMemory, highestUtilization } from '#shared/gpu-load'

/**
 * Use of a GPU. `pausing`: it does nothing now, but not for long enough to be idle. `unchecked`: not measured; `off`: its
 * machine does not run.
 */
export const gpuUses = ['working', 'pausing', 'idle', 'held', 'barely-used', 'unchecked', 'off'] as const
export type GpuUse = (typeof gpuUses)[number]

/** Temperature above which a GPU is hot, in °C: data center GPUs slow down between 85 and 90. */
const hotCelsius = 80

/**
 * Returns the use of a GPU of a running machine. `unused`: the verdict about the GPU; null: it is not known to be unused. `gpu`:
 * the current reading; null: none. `threshold`: utilization in percent below which a GPU is idle. Pure.
 */
export function gpuUse(gpu: GpuReading | null, unused: IdleGpu['use'] | null, threshold: number): GpuUse {
  if (unused !== null) return unused
  const utilization = gpu && highestUtilization(gpu)
  if (utilization === null) return 'unchecked'
  return utilization >= threshold ? 'working' : 'pausing'
}

/** Whether a GPU is hot, or slowed by heat. Pure. */
export const isHot = ({ temperature, throttle }: GpuReading): boolean =>
  (typeof temperature === 'number' && temperature >= hotCelsius) ||
  (typeof throttle !== 'string' && throttle.some((reason) => reason.includes('thermal')))

/** Returns the number of uncorrected memory errors and of values that the driver failed to read. Pure. */
export const errorCount = (gpu: GpuReading): number =>
  (typeof gpu.eccUncorrected === 'number' ? gpu.eccUncorrected : 0) +
  [gpu.utilization, gpu.memoryUsed, gpu.temperature, gpu.power].filter((value) => value === 'error').length

/**
 * Returns the power of the GPUs that hold memory without work, and their lowest power without work, in watts. Null if one is
 * unknown, or if they draw no more. Pure.
 */
export function heldPower(
  gpus: readonly GpuReading[],
): { readonly now: number; readonly idle: number } | null {
  const held = gpus.filter((gpu) => highestUtilization(gpu) === 0 && (heldMemory(gpu) ?? 0) > 0)
  let [now, idle] = [0, 0]
  for (const { power, idlePower } of held) {
    if (typeof power !== 'number' || idlePower === undefined) return null
    now += power
    idle += idlePower
  }
  return Math.round(now) > Math.round(idle) ? { now, idle } : null
}
