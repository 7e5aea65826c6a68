import { z } from 'zod'
import { AccountId } from './account'
import { call, variant } from './define'

/** Reference to a secret of a machine or bare metal instance. */
export const MachineSecretRef = z.discriminatedUnion('kind', [
  variant('machine-password', { machine: z.string() }),
  /** A masked field under "More", by its path. */
  variant('machine-field', { machine: z.string(), path: z.string() }),
])
export type MachineSecretRef = z.infer<typeof MachineSecretRef>

const VolumeFieldRef = variant('volume-field', {
  volume: z.string(),
  path: z.string(),
})

export const FirewallFieldRef = variant('firewall-field', {
  machine: z.string(),
  rule: z.string(),
  path: z.string(),
})

export const SecretRef = z.discriminatedUnion('kind', [
  MachineSecretRef,
  variant('api-token', { token: z.string().min(1) }),
  VolumeFieldRef,
  FirewallFieldRef,
])
export type SecretRef = z.infer<typeof SecretRef>

const OneSecret = z.object({ account: AccountId, secret: SecretRef })

export const secretCalls = {
  'secret.reveal': call(OneSecret, z.string()),
  /**
   * Copies the value to the clipboard without crossing the bridge, and clears it after the returned seconds. Unless
   * `isConcealed`, clipboard histories may keep it.
   */
  'secret.copy': call(OneSecret, z.object({ clearsAfter: z.number(), isConcealed: z.boolean() })),
} as const
