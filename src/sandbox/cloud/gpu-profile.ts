import { z } from 'zod'
import { hash32 } from '../random'

/**
 * Kinds of GPU activity. `bursts`: a third of a second of work every ten seconds. `held`: a program that does nothing.
 * `spinning`: a kernel of one thread. `container`: memory of a process in another namespace. `split`: instances (MIG).
 * `no-samples`: idle, with a driver without samples. `amd`: AMD GPUs. `crashed`: the driver no longer responds.
 */
const gpuProfiles = [
  'training',
  'inference',
  'notebook',
  'nightly',
  'idle',
  'bursts',
  'held',
  'spinning',
  'container',
  'split',
  'no-samples',
  'amd',
  'crashed',
] as const
export const GpuProfile = z.enum(gpuProfiles)
export type GpuProfile = z.infer<typeof GpuProfile>

/** Defects of a machine that its users can see. */
const machineFaults = [
  'slow-pcie',
  'full-disk',
  'ecc-errors',
  'pending-remap',
  'recovery-action',
  'hot',
  'slow-disk',
  'xid',
] as const
export const MachineFault = z.enum(machineFaults)
export type MachineFault = z.infer<typeof MachineFault>

/** One in this many machines has a crashed driver. */
const crashedOneIn = 40

type Workload = Extract<GpuProfile, 'training' | 'inference' | 'notebook' | 'nightly' | 'idle'>

/** Workload that drives the load of each profile. */
export const workloads: Readonly<Record<GpuProfile, Workload>> = {
  training: 'training',
  inference: 'inference',
  notebook: 'notebook',
  nightly: 'nightly',
  bursts: 'idle',
  held: 'idle',
  spinning: 'idle',
  container: 'training',
  split: 'inference',
  amd: 'training',
  idle: 'idle',
  'no-samples': 'idle',
  crashed: 'idle',
}

interface Profiled {
  readonly id: string
  readonly workload?: Workload
  readonly gpuProfile?: GpuProfile | undefined
}

/** Returns the workload of the CPUs, which follows a profile that was set. A crashed driver leaves it unchanged. */
export const workloadOf = ({ workload = 'training', gpuProfile = 'crashed' }: Profiled): Workload =>
  gpuProfile === 'crashed' ? workload : workloads[gpuProfile]

/** Returns the machine's own profile, otherwise its workload's. The id selects the machines with a crashed driver. */
export function gpuProfileOf(machine: Profiled): GpuProfile {
  if (machine.gpuProfile) return machine.gpuProfile
  return hash32(`${machine.id}/driver`) % crashedOneIn === 0 ? 'crashed' : (machine.workload ?? 'training')
}
