import { z } from 'zod'
import { hash32 } from '../random'

/** The activity of a machine's GPUs. `crashed`: the driver no longer responds. */
const gpuProfiles = ['training', 'inference', 'notebook', 'nightly', 'idle', 'crashed'] as const
export const GpuProfile = z.enum(gpuProfiles)
export type GpuProfile = z.infer<typeof GpuProfile>

/** The share of machines with a crashed driver is one in this many. */
const crashedOneIn = 40

/** The profile set for the machine, else that of its workload; the id selects the machines with a crashed driver. */
export function gpuProfileOf(machine: {
  readonly id: string
  readonly workload?: Exclude<GpuProfile, 'crashed'>
  readonly gpuProfile?: GpuProfile | undefined
}): GpuProfile {
  if (machine.gpuProfile) return machine.gpuProfile
  return hash32(`${machine.id}/driver`) % crashedOneIn === 0 ? 'crashed' : (machine.workload ?? 'training')
}
