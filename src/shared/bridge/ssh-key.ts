import { z } from 'zod'
import { AccountId } from './account'
import { KeyFileName } from './creation'
import { AnswerText } from './askpass'
import { call } from './define'

/** A key of this computer: a private key in ~/.ssh, in the agent, or both. */
export const SshKeyView = z.object({
  /** SHA256:…; null for an encrypted file without a readable public key. */
  fingerprint: z.string().nullable(),
  /** Absolute path of the private key; null if only the agent has it. */
  path: z.string().nullable(),
  /** Name of OpenSSH, such as ssh-ed25519. */
  type: z.string().nullable(),
  comment: z.string().nullable(),
  hardware: z.boolean(),
  /** Whether the file has a passphrase; null without a file. */
  encrypted: z.boolean().nullable(),
  inAgent: z.boolean(),
  /** One line, as in authorized_keys. */
  publicKey: z.string().nullable(),
  machines: z.array(z.object({ account: AccountId, machine: z.string(), name: z.string() })),
})
export type SshKeyView = z.infer<typeof SshKeyView>

export const SshKeysView = z.object({
  folder: z.string(),
  hasAgent: z.boolean(),
  isCut: z.boolean(),
  keys: z.array(SshKeyView),
})
export type SshKeysView = z.infer<typeof SshKeysView>

/** Minimum length of a passphrase for ssh-keygen, in characters. */
const minPassphraseLength = 5

const NewPassphrase = z.union([
  z.literal(''),
  AnswerText.refine((text) => text.length >= minPassphraseLength),
])
/** Whether a new key can have this passphrase; an empty one means none. */
export const isNewPassphrase = (text: string): boolean => NewPassphrase.safeParse(text).success

export const sshKeyCalls = {
  'sshKeys.list': call(z.object({}), SshKeysView),
  /**
   * Creates an ed25519 key in ~/.ssh, without a passphrase if it is empty. ssh-keygen rejects fewer than 5
   * characters. Fails with invalid-input (name: already-there), disk-full, local-fault.
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
