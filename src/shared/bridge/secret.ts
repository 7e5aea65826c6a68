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

/** A command of the command line that waits for permission to print a password. `request`: its own id. */
export const SecretQuestion = z.object({
  id: z.string(),
  request: z.uuid(),
  account: AccountId,
  /** Name of the machine. */
  name: z.string(),
})
export type SecretQuestion = z.infer<typeof SecretQuestion>

export const secretCalls = {
  'secret.reveal': call(OneSecret, z.string()),
  /**
   * Copies the value to the clipboard without crossing the bridge, and clears it after the returned seconds. Unless
   * `isConcealed`, clipboard histories may keep it.
   */
  'secret.copy': call(OneSecret, z.object({ clearsAfter: z.number(), isConcealed: z.boolean() })),
  /**
   * Returns the password of a machine once the user allowed it in the window. Fails with cancelled if they refused or did not
   * answer in time, or another question is open; invalid-input (machine: unknown) without a password; and as `secret.reveal`.
   */
  'secret.ask': call(z.object({ account: AccountId, machine: z.string(), request: z.uuid() }), z.string()),
  /** Ends a question, because its command no longer waits. */
  'secret.withdraw': call(z.object({ request: z.uuid() }), z.void()),
  'secret.questions': call(z.object({}), z.array(SecretQuestion)),
  /** Fails with invalid-input (id: unknown) if the question has ended. */
  'secret.answer': call(z.object({ id: z.string(), isAllowed: z.boolean() }), z.void()),
} as const

export const secretEvents = { 'secret.asked': z.array(SecretQuestion) } as const
