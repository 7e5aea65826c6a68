import { z } from 'zod'

/** Why the connection is not tried again until the person has done something. */
export const SshStop = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('host-key-changed'),
    host: z.string(),
    known: z.string(),
    offered: z.string(),
  }),
  /** The key of a host on the way is new, or another, and was not trusted. `host`: that host, or the machine where it is not known. */
  z.object({ kind: z.literal('jump-untrusted'), host: z.string() }),
  /**
   * None of the keys was admitted. `keys`: what was offered, by path, or `ssh-agent`. `isCut`: the machine hung up after so
   * many that not all may have been tried.
   */
  z.object({
    kind: z.literal('key-refused'),
    user: z.string(),
    host: z.string(),
    keys: z.array(z.string()),
    isCut: z.literal(true).optional(),
  }),
  /** There is no key to offer: neither an identity file nor an agent that holds one. */
  z.object({ kind: z.literal('no-key') }),
  /** There are keys, but none of a type that can be used here, such as those of security keys. */
  z.object({ kind: z.literal('keys-unsupported'), types: z.array(z.string()) }),
  z.object({
    kind: z.literal('key-unusable'),
    path: z.string(),
    why: z.enum(['missing', 'encrypted', 'not-understood']),
  }),
  z.object({ kind: z.literal('no-address') }),
  z.object({ kind: z.literal('no-user') }),
  /** ssh doesn't accept the user name, or a jump host's command can't carry it. */
  z.object({ kind: z.literal('user-refused'), user: z.string(), why: z.enum(['ssh', 'jump-host']) }),
  /** More machines than are watched at once. */
  z.object({ kind: z.literal('too-many'), limit: z.number() }),
])
export type SshStop = z.infer<typeof SshStop>

/** Plain text that the server sent during a sign-in that hasn't succeeded: it may say what the user has to do. */
const banner = z.string().optional()

/** The state of the one SSH connection to a machine. */
export const SshLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), why: z.enum(['no-consent', 'not-running', 'paused']) }),
  z.object({ kind: z.literal('connecting'), banner }),
  z.object({ kind: z.literal('connected') }),
  /** Lost or not reached; retried at `until` (epoch seconds). `reason`: the system's, such as ECONNREFUSED, or one of ssh-wait-reasons.ts. */
  z.object({
    kind: z.literal('waiting'),
    until: z.number(),
    attempts: z.number().int(),
    reason: z.string(),
    banner,
  }),
  /** First contact: the person has to say whether this is the machine's key. */
  z.object({
    kind: z.literal('host-key-unknown'),
    host: z.string(),
    type: z.string(),
    fingerprint: z.string(),
  }),
  z.object({ kind: z.literal('stopped'), stop: SshStop, banner }),
])
export type SshLink = z.infer<typeof SshLink>
