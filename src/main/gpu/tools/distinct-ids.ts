import type { GpuReading } from '#shared/bridge/gpu'

/**
 * Makes the ids of cards with the same ID distinct by their index. Partitions of an MI300 report the ID of the whole GPU
 * before ROCm 7.0.1.
 */
export function withDistinctIds(gpus: readonly GpuReading[]): readonly GpuReading[] {
  const counts = new Map<string, number>()
  for (const { id } of gpus) counts.set(id, (counts.get(id) ?? 0) + 1)
  return gpus.map((gpu) =>
    (counts.get(gpu.id) ?? 0) > 1 ? { ...gpu, id: `${gpu.id}/${String(gpu.index)}` } : gpu,
  )
}
