import type { GpuProcess, GpuReading } from './bridge/gpu'

/**
 * Memory in use, in MiB, from which a program holds a GPU. The context of a program needs 518 MiB on an H100; without a
 * program it is 0, or some hundred MiB of a desktop or of drivers before 510.
 */
export const heldMebibytes = 500

/** Activity in percent below which a busy GPU is barely used. */
export const barelyUsedPercent = 5

/** Age in seconds up to which a reading describes the present while many machines are read in turns. */
export const rotatedMaxAgeSeconds = 900

const numbers = (values: readonly unknown[]): readonly number[] =>
  values.filter((value) => typeof value === 'number')

/** Returns the highest utilization of the reading's last seconds; null if unknown. */
export function highestUtilization({
  utilization,
  samples,
}: Pick<GpuReading, 'utilization' | 'samples'>): number | null {
  const known = numbers([utilization, samples?.max])
  return known.length === 0 ? null : Math.max(...known)
}

/** Returns the memory that programs hold, in MiB; 0 if none is held, null if unknown. */
export const heldMemory = ({ memoryUsed }: Pick<GpuReading, 'memoryUsed'>): number | null =>
  typeof memoryUsed !== 'number' ? null : memoryUsed >= heldMebibytes ? memoryUsed : 0

/** Returns the GPUs whose memory is held by a program that is not among `processes`. */
export function gpusWithHiddenHolders(
  gpus: readonly GpuReading[],
  processes: readonly GpuProcess[],
): readonly GpuReading[] {
  const holders = new Set(processes.map(({ gpu }) => gpu))
  // A process of an unknown GPU, such as an instance of a split one, may hold any memory.
  if ([...holders].some((holder) => !gpus.some(({ id }) => id === holder))) return []
  return gpus.filter((gpu) => (heldMemory(gpu) ?? 0) > 0 && !holders.has(gpu.id))
}

/** Returns the share of the busiest part of a GPU in percent; null if it was not read or one part is unknown. */
export function highestActivity({
  activity,
  samples,
}: Pick<GpuReading, 'activity' | 'samples'>): number | null {
  if (activity === null) return null
  // Video engines need little power, so an estimate counts only if they were read.
  if (activity.kind === 'estimated')
    return typeof samples?.video === 'number' ? Math.max(activity.share, samples.video) : null
  const { sm, tensor, memory, encoder, decoder } = activity
  const known = numbers([sm, tensor, memory, encoder, decoder])
  // The engines of video do not exist on every GPU.
  const isKnown = typeof sm === 'number' && typeof memory === 'number'
  return isKnown ? Math.max(...known) : null
}
