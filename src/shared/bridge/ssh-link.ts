import { z } from 'zod'
import { variant } from './define'

/** Why the connection is not retried until the user acts. */
export const SshStop = z.discriminatedUnion('kind', [
  variant('host-key-changed', {
    host: z.string(),
    known: z.string(),
    offered: z.string(),
  }),
  /** The key of a jump host is new or changed and was not trusted. `host`: that host, or the machine if unknown. */
  variant('jump-untrusted', { host: z.string() }),
  /**
   * The machine accepted none of the keys. `keys`: paths of offered keys, or `ssh-agent`. `isCut`: the machine closed
   * the connection, so some keys may not have been tried.
   */
  variant('key-refused', {
    user: z.string(),
    host: z.string(),
    keys: z.array(z.string()),
    isCut: z.literal(true).optional(),
  }),
  variant('no-key', {}),
  /** There are keys, but none of a supported type; keys in security keys are not supported. */
  variant('keys-unsupported', { types: z.array(z.string()) }),
  variant('key-unusable', {
    path: z.string(),
    why: z.enum(['missing', 'encrypted', 'not-understood']),
  }),
  variant('no-address', {}),
  variant('no-user', {}),
  /** ssh rejects the user name, or a jump host's command cannot carry it. */
  variant('user-refused', { user: z.string(), why: z.enum(['ssh', 'jump-host']) }),
  /** More machines than may be connected at once. */
  variant('too-many', { limit: z.number() }),
])
export type SshStop = z.infer<typeof SshStop>

/** Text of the server during a sign-in that has not succeeded; it may ask the user to act. */
const banner = z.string().optional()

export const SshLink = z.discriminatedUnion('kind', [
  variant('off', { why: z.enum(['no-consent', 'not-running', 'paused']) }),
  variant('connecting', { banner }),
  variant('connected', {}),
  /**
   * Lost or not reached; the next attempt is at `until` (epoch seconds). `reason`: the system's code, such as
   * ECONNREFUSED, or a constant of ssh-wait-reasons.ts.
   */
  variant('waiting', {
    until: z.number(),
    attempts: z.number().int(),
    reason: z.string(),
    banner,
  }),
  /** First contact: the user must confirm the machine's key. */
  variant('host-key-unknown', {
    host: z.string(),
    type: z.string(),
    fingerprint: z.string(),
  }),
  variant('stopped', { stop: SshStop, banner }),
])
export type SshLink = z.infer<typeof SshLink>
