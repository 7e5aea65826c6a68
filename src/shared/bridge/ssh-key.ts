import { z } from 'zod'
import { AccountId } from './account'
import { KeyFileName } from './creation'
import { AnswerText } from './askpass'
import { call } from './define'

/** A key of this computer: a private key in ~/.ssh, one that the agent holds, or both. */
export const SshKeyView = z.object({
  /** SHA256:…; null for an encrypted file that does not show its public key. */
  fingerprint: z.string().nullable(),
  /** Absolute path of the private key; null: the agent alone holds it. */
  path: z.string().nullable(),
  /** As OpenSSH names it, such as ssh-ed25519. */
  type: z.string().nullable(),
  comment: z.string().nullable(),
  /** The private half is in a security key. */
  hardware: z.boolean(),
  /** Whether the file has a passphrase; null where there is no file. */
  encrypted: z.boolean().nullable(),
  inAgent: z.boolean(),
  /** One line, as in authorized_keys. */
  publicKey: z.string().nullable(),
  /** Machines that it has opened, by the last connection to each. */
  machines: z.array(z.object({ account: AccountId, machine: z.string(), name: z.string() })),
})
export type SshKeyView = z.infer<typeof SshKeyView>

export const SshKeysView = z.object({
  /** Where keys are looked for. */
  folder: z.string(),
  /** Whether an agent answers. */
  hasAgent: z.boolean(),
  /** There are more files in the folder than are looked at. */
  isCut: z.boolean(),
  keys: z.array(SshKeyView),
})
export type SshKeysView = z.infer<typeof SshKeysView>

/** Characters: ssh-keygen takes no fewer. */
const shortestPassphrase = 5

const NewPassphrase = z.union([z.literal(''), AnswerText.refine((text) => text.length >= shortestPassphrase)])
/** Whether a new key can have this passphrase; an empty one is none. */
export const isNewPassphrase = (text: string): boolean => NewPassphrase.safeParse(text).success

export const sshKeyCalls = {
  'sshKeys.list': call(z.object({}), SshKeysView),
  /**
   * Makes an ed25519 key in ~/.ssh; an empty passphrase: none. ssh-keygen refuses one of fewer than 5 characters. Fails
   * with invalid-input (name: already-there), disk-full, local-fault.
   */
  'sshKeys.generate': call(
    z.object({
      name: KeyFileName,
      comment: z.string().max(100),
      passphrase: NewPassphrase,
    }),
    SshKeysView,
  ),
} as const
