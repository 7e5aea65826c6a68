import { z } from 'zod'
import { GpuProfile } from './gpu-profile'

// Everything that a sandbox remembers, and nothing that is secret. Times are epoch seconds, money is millionths of
// a dollar. Identifiers of regions, flavors, images and volume types are those of catalog.ts.

/** A state that ends by itself: at `at` the resource becomes `to`. */
const Transition = z.object({ to: z.string(), at: z.number() })

/** What a machine spends its time with: decides its load curve. */
const workloads = ['training', 'inference', 'notebook', 'nightly', 'idle'] as const
const Workload = z.enum(workloads)
export type Workload = z.infer<typeof Workload>

const SshAccess = {
  loginId: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  /** Null: the sandbox's own identity key. */
  publicKey: z.string().nullable(),
  username: z.string(),
  address: z.string(),
}

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

const Machine = z.object({
  id: z.string(),
  name: z.string(),
  flavor: z.string(),
  /** The volume's, where it was started from one. */
  image: z.string(),
  status: z.string(),
  transition: Transition.nullable(),
  createdTime: z.number(),
  /** Last boot; null before the first. */
  startedTime: z.number().nullable(),
  stoppedTime: z.number().nullable(),
  ...SshAccess,
  workload: Workload,
  /** What its GPUs do where that is not what its workload says. */
  gpuProfile: GpuProfile.optional(),
  team: z.string(),
  owner: z.string(),
  firewallRules: z.array(FirewallRule),
})
export type MachineRecord = z.infer<typeof Machine>

const BareMetal = z.object({
  id: z.string(),
  name: z.string(),
  flavor: z.string(),
  image: z.string(),
  status: z.string(),
  transition: Transition.nullable(),
  createdTime: z.number(),
  startedTime: z.number().nullable(),
  gpuProfile: GpuProfile.optional(),
  ...SshAccess,
})
export type BareMetalRecord = z.infer<typeof BareMetal>

const Volume = z.object({
  id: z.string(),
  /** Generated; `displayName` is what the person gave. */
  name: z.string(),
  displayName: z.string(),
  region: z.string(),
  type: z.string(),
  /** GB */
  size: z.number(),
  /** Not null: bootable with this image. */
  image: z.string().nullable(),
  status: z.string(),
  transition: Transition.nullable(),
  description: z.string(),
  currency: z.string(),
  createdTime: z.number(),
  /** The machine it is attached to, from the request to attach until the detaching is done. */
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

export const WorldState = z.object({
  version: z.literal(1),
  seed: z.number().int(),
  /** The moment that the seeded history leads up to. */
  startTime: z.number(),
  /** Seconds that the sandbox's clock is ahead of the computer's. */
  clockOffset: z.number(),
  /** How many identifiers have been given out since the start. */
  issued: z.number().int(),
  /** Login tokens of an earlier generation are refused. */
  sessionGeneration: z.number().int(),
  machines: z.array(Machine),
  bareMetal: z.array(BareMetal),
  volumes: z.array(Volume),
  usage: z.array(Usage),
  apiTokens: z.array(ApiToken),
})
export type WorldState = z.infer<typeof WorldState>
