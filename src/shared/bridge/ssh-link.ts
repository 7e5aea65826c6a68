import { z } from 'zod'

/** Why the connection is not retried until the user acts. */
export const SshStop = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('host-key-changed'),
    host: z.string(),
    known: z.string(),
    offered: z.string(),
  }),
  /** The key of a jump host is new or changed and was not trusted. `host`: that host, or the machine if unknown. */
  z.object({ kind: z.literal('jump-untrusted'), host: z.string() }),
  /**
   * The machine accepted none of the keys. `keys`: paths of offered keys, or `ssh-agent`. `isCut`: the machine closed
   * the connection, so some keys may not have been tried.
   */
  z.object({
    kind: z.literal('key-refused'),
    user: z.string(),
    host: z.string(),
    keys: z.array(z.string()),
    isCut: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('no-key') }),
  /** There are keys, but none of a supported type; keys in security keys are not supported. */
  z.object({ kind: z.literal('keys-unsupported'), types: z.array(z.string()) }),
  z.object({
    kind: z.literal('key-unusable'),
    path: z.string(),
    why: z.enum(['missing', 'encrypted', 'not-understood']),
  }),
  z.object({ kind: z.literal('no-address') }),
  z.object({ kind: z.literal('no-user') }),
  /** ssh rejects the user name, or a jump host's command cannot carry it. */
  z.object({ kind: z.literal('user-refused'), user: z.string(), why: z.enum(['ssh', 'jump-host']) }),
  /** More machines than may be connected at once. */
  z.object({ kind: z.literal('too-many'), limit: z.number() }),
])
export type SshStop = z.infer<typeof SshStop>

/** Text of the server during a sign-in that has not succeeded; it may ask the user to act. */
const banner = z.string().optional()

export const SshLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), why: z.enum(['no-consent', 'not-running', 'paused']) }),
  z.object({ kind: z.literal('connecting'), banner }),
  z.object({ kind: z.literal('connected') }),
  /**
   * Lost or not reached; the next attempt is at `until` (epoch seconds). `reason`: the system's code, such as
   * ECONNREFUSED, or a constant of ssh-wait-reasons.ts.
   */
  z.object({
    kind: z.literal('waiting'),
    until: z.number(),
    attempts: z.number().int(),
    reason: z.string(),
    banner,
  }),
  /** First contact: the user must confirm the machine's key. */
  z.object({
    kind: z.literal('host-key-unknown'),
    host: z.string(),
    type: z.string(),
    fingerprint: z.string(),
  }),
  z.object({ kind: z.literal('stopped'), stop: SshStop, banner }),
])
export type SshLink = z.infer<typeof SshLink>
