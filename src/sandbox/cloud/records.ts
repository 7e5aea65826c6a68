import { z } from 'zod'
import { GpuProfile } from './gpu-profile'

// The persistent state of a sandbox, without secrets: the schema of the data file, so a renamed field needs a
// migration. Times are epoch seconds, money is millionths of a dollar. Identifiers of regions, flavors, images and
// volume types refer to catalog.ts.

/** A temporary status: at `at` it changes to `to`. */
const Transition = z.object({ to: z.string(), at: z.number() })

/** Seconds that each temporary status lasts at speed 1. */
export const transitionSeconds = {
  machineCreating: 90,
  machineStarting: 20,
  machineStopping: 10,
  machineRebooting: 15,
  bareMetalCreating: 240,
  volumeCreating: 8,
  volumeAttaching: 5,
  volumeDetaching: 5,
} as const

/** Decides the load curve of a machine. */
const workloads = ['training', 'inference', 'notebook', 'nightly', 'idle'] as const
const Workload = z.enum(workloads)
export type Workload = z.infer<typeof Workload>

const FirewallRule = z.object({
  id: z.string(),
  direction: z.string(),
  protocol: z.string(),
  ethertype: z.string(),
  prefix: z.string(),
  portMin: z.number(),
  portMax: z.number(),
  description: z.string(),
  createdTime: z.number(),
})
export type FirewallRuleRecord = z.infer<typeof FirewallRule>

/** Common to virtual machines and bare metal. */
const Instance = z.object({
  id: z.string(),
  name: z.string(),
  flavor: z.string(),
  /** Of the boot volume, where the machine was created from one. */
  image: z.string(),
  status: z.string(),
  transition: Transition.nullable(),
  createdTime: z.number(),
  /** Last boot; null before the first. */
  startedTime: z.number().nullable(),
  /** Overrides the GPU activity that follows from the workload. */
  gpuProfile: GpuProfile.optional(),
  loginId: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  /** Null: the sandbox's own identity key. */
  publicKey: z.string().nullable(),
  username: z.string(),
  address: z.string(),
})
export type BareMetalRecord = z.infer<typeof Instance>

const Machine = Instance.extend({
  stoppedTime: z.number().nullable(),
  workload: Workload,
  team: z.string(),
  owner: z.string(),
  firewallRules: z.array(FirewallRule),
})
export type MachineRecord = z.infer<typeof Machine>

const Volume = z.object({
  id: z.string(),
  /** Generated; `displayName` is the name given at creation. */
  name: z.string(),
  displayName: z.string(),
  region: z.string(),
  type: z.string(),
  /** GB */
  size: z.number(),
  /** The image of a bootable volume; null where it is not bootable. */
  image: z.string().nullable(),
  status: z.string(),
  transition: Transition.nullable(),
  description: z.string(),
  currency: z.string(),
  createdTime: z.number(),
  /** The machine's id, from the request to attach until the detachment is complete. */
  attachedTo: z.string().nullable(),
})
export type VolumeRecord = z.infer<typeof Volume>

const Usage = z.object({
  id: z.string(),
  resource: z.object({
    id: z.string(),
    name: z.string(),
    displayName: z.string(),
    type: z.enum(['vm', 'volume']),
  }),
  perMinute: z.number().int(),
  createdTime: z.number(),
  terminatedTime: z.number().nullable(),
})
export type UsageRecord = z.infer<typeof Usage>

const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdTime: z.number(),
  /** 0: never. */
  lastUsed: z.number(),
  revoked: z.boolean(),
})
export type ApiTokenRecord = z.infer<typeof ApiToken>

export const CloudState = z.object({
  version: z.literal(1),
  seed: z.number().int(),
  /** End of the seeded history. */
  startTime: z.number(),
  /** Payments so far, in millionths of a dollar. */
  paid: z.number().int(),
  /** Seconds that the sandbox's clock is ahead of the computer's. */
  clockOffset: z.number(),
  /** Number of identifiers generated since the start. */
  issued: z.number().int(),
  /** Login tokens of an earlier generation are refused. */
  sessionGeneration: z.number().int(),
  machines: z.array(Machine),
  bareMetal: z.array(Instance),
  volumes: z.array(Volume),
  usage: z.array(Usage),
  apiTokens: z.array(ApiToken),
})
export type CloudState = z.infer<typeof CloudState>
