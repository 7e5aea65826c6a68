import { z } from 'zod'
import { GpuProfile, MachineFault } from './gpu-profile'
import { SetUpRecord } from './set-up'

// Persistent state of a sandbox, without secrets: the schema of the data file, so a renamed field needs a migration.
// Times are epoch seconds, money is millionths of a dollar. Ids of regions, flavors, images and volume types refer to
// catalog.ts.

/** Temporary status: at `at` it changes to `to`. */
const Transition = z.object({ to: z.string(), at: z.number() })

/** Duration of each temporary status in seconds at speed 1. */
export const transitionSeconds = {
  machineCreating: 90,
  machineStarting: 20,
  machineStopping: 10,
  machineRebooting: 15,
  /** From `running` until SSH answers. */
  booting: 25,
  /** From the first answer of SSH until cloud-init is done. */
  settingUp: 20,
  bareMetalCreating: 240,
  volumeCreating: 8,
  volumeAttaching: 5,
  volumeDetaching: 5,
} as const

/** Workloads, which determine the load curve of a machine. */
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

const Instance = z.object({
  id: z.string(),
  name: z.string(),
  flavor: z.string(),
  /** Image of the boot volume if the machine was created from a volume. */
  image: z.string(),
  status: z.string(),
  transition: Transition.nullable(),
  createdTime: z.number(),
  /** Time of the last boot; null before the first. */
  startedTime: z.number().nullable(),
  /** Time from which SSH answers; absent: since the start. */
  answersFrom: z.number().optional(),
  /** Overrides the activity that follows from the workload. */
  gpuProfile: GpuProfile.optional(),
  faults: z.array(MachineFault).optional(),
  /** Overrides the set-up that follows from the time of the creation. */
  setUp: SetUpRecord.optional(),
  /** GPU processes that were ended, and the boot that they belonged to (`startedTime`). */
  ended: z.object({ boot: z.number().nullable(), pids: z.array(z.number()) }).optional(),
  loginId: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  /** Null for the sandbox's own identity key. */
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
  /** Generated name; `displayName` is the name from the creation. */
  name: z.string(),
  displayName: z.string(),
  region: z.string(),
  type: z.string(),
  /** Size in GB. */
  size: z.number(),
  /** Image of a bootable volume; otherwise null. */
  image: z.string().nullable(),
  status: z.string(),
  transition: Transition.nullable(),
  description: z.string(),
  currency: z.string(),
  createdTime: z.number(),
  /** Id of the machine, from the request to attach until the detachment is complete. */
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
  /** 0 if it was never used. */
  lastUsed: z.number(),
  revoked: z.boolean(),
})
export type ApiTokenRecord = z.infer<typeof ApiToken>

export const CloudState = z.object({
  version: z.literal(1),
  seed: z.number().int(),
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
