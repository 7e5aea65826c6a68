import { z } from 'zod'
import { hash32 } from '../random'

/** What the GPUs of a machine do. `crashed`: the driver does not answer any more. */
export const gpuProfiles = ['training', 'inference', 'notebook', 'nightly', 'idle', 'crashed'] as const
export const GpuProfile = z.enum(gpuProfiles)
export type GpuProfile = z.infer<typeof GpuProfile>

/** One machine in so many has a crashed driver. */
const crashedOneIn = 40

/** What is set for the machine, else what its workload says, but for a few that its id decides. */
export function gpuProfileOf(machine: {
  readonly id: string
  readonly workload?: Exclude<GpuProfile, 'crashed'>
  readonly gpuProfile?: GpuProfile | undefined
}): GpuProfile {
  if (machine.gpuProfile) return machine.gpuProfile
  return hash32(`${machine.id}/driver`) % crashedOneIn === 0 ? 'crashed' : (machine.workload ?? 'training')
}
