import type { GpuReading } from '#shared/bridge/gpu'
import { heldMemory, highestUtilization } from '#shared/gpu-load'

/** Use of a GPU by its last reading; `off`: its machine does not run. */
export const gpuUses = ['working', 'idle', 'held', 'unknown', 'off'] as const
export type GpuUse = (typeof gpuUses)[number]

/** Temperature above which a GPU is hot, in °C: data center GPUs slow down between 85 and 90. */
const hotCelsius = 80

/** Returns the use of a GPU by one reading. `threshold`: utilization in percent below which it is idle. Pure. */
export function gpuUse(gpu: GpuReading, threshold: number): GpuUse {
  const utilization = highestUtilization(gpu)
  if (utilization === null) return 'unknown'
  if (utilization >= threshold) return 'working'
  return (heldMemory(gpu) ?? 0) > 0 ? 'held' : 'idle'
}

/** Whether a GPU is hot, or slowed by heat. Pure. */
export const isHot = ({ temperature, throttle }: GpuReading): boolean =>
  (typeof temperature === 'number' && temperature >= hotCelsius) ||
  (typeof throttle !== 'string' && throttle.some((reason) => reason.includes('thermal')))

/** Returns the number of uncorrected memory errors and of values that the driver failed to read. Pure. */
export const errorCount = (gpu: GpuReading): number =>
  (typeof gpu.eccUncorrected === 'number' ? gpu.eccUncorrected : 0) +
  [gpu.utilization, gpu.memoryUsed, gpu.temperature, gpu.power].filter((value) => value === 'error').length
