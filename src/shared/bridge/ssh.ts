import { z } from 'zod'
import { AccountId, OneAccount, OneMachine } from './account'
import { call } from './define'
import { KeptName, SplitWay } from './terminal'

/** `path`: null if not installed, empty for the built-in one. `command`: of the user's own terminal. */
export const TerminalView = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string().nullable(),
  command: z.string().optional(),
})
export type TerminalView = z.infer<typeof TerminalView>

export const IdentityView = z.object({
  path: z.string(),
  /** Key type and comment of its public key, if any. */
  type: z.string().nullable(),
  comment: z.string().nullable(),
})
export type IdentityView = z.infer<typeof IdentityView>

/** Defaults for every machine of an account; null for the service's value or ssh's own default. */
export const SshDefaults = z.object({
  user: z.string().nullable(),
  port: z.number().int().nullable(),
  identityFile: z.string().nullable(),
  /** `host`, `user@host` or `user@host:port`; `none`: no jump host, whatever the account has. */
  jumpHost: z.string().nullable().optional(),
  /** Whether the machine can use the keys of the user's agent; null: no, regardless of ~/.ssh/config. */
  forwardAgent: z.boolean().nullable().optional(),
  /** Permitted options of ssh_config(5), `Name=value` separated by blanks. */
  options: z.string().nullable().optional(),
})
export type SshDefaults = z.infer<typeof SshDefaults>

export const SshConnectionView = z.object({
  machine: z.string(),
  /** Null if neither the service nor the user named one. */
  user: z.string().nullable(),
  host: z.string().nullable(),
  port: z.number().int(),
  /** Null: ssh's own choice of keys. */
  identityFile: z.string().nullable(),
  jumpHost: z.string().nullable(),
  forwardAgent: z.boolean(),
  options: z.string().nullable(),
  /** Equivalent command line; null while user or host is unknown. */
  command: z.string().nullable(),
  /** Recorded fingerprint (SHA256:…); null before the first contact. */
  hostKey: z.string().nullable(),
  /** Settings of the user, which override the service's values. */
  settings: SshDefaults,
  terminal: z.string(),
  /** Whether Connect uses a terminal other than the built-in one. */
  offersInside: z.boolean(),
  /** Whether the built-in terminal uses our own client, as OpenSSH or a pseudo-terminal is missing. */
  usesOwnClient: z.boolean(),
})
export type SshConnectionView = z.infer<typeof SshConnectionView>

export const sshCalls = {
  'ssh.terminals': call(z.object({}), z.array(TerminalView)),
  /**
   * Sets the command of the user's own terminal, with the words `{command}` for ssh and `{title}` for the machine's
   * name; null removes it. Fails with invalid-input (command).
   */
  'ssh.setCommand': call(z.object({ command: z.string().nullable() }), z.array(TerminalView)),
  'ssh.identities': call(z.object({}), z.array(IdentityView)),
  'ssh.connection': call(OneMachine, SshConnectionView),
  /** Null clears a setting. Fails with invalid-input (user, port, identityFile, jumpHost, options). */
  'ssh.configure': call(
    OneMachine.extend({
      user: z.string().nullable().optional(),
      port: z.number().nullable().optional(),
      identityFile: z.string().nullable().optional(),
      jumpHost: z.string().nullable().optional(),
      forwardAgent: z.boolean().nullable().optional(),
      options: z.string().nullable().optional(),
    }),
    SshConnectionView,
  ),
  'ssh.defaults': call(OneAccount, SshDefaults),
  'ssh.configureAccount': call(SshDefaults.partial().extend({ account: AccountId }), SshDefaults),
  /** Opens a file dialog for the identity file. Returns the connection afterwards. */
  'ssh.chooseIdentity': call(OneMachine, SshConnectionView),
  /**
   * Deletes a recorded host key after the user confirmed it, so that the next contact records a new one. `host`: as
   * in host-key-changed; for a jump host, only its key is deleted.
   */
  'ssh.forgetHostKey': call(OneMachine.extend({ host: z.string().optional() }), SshConnectionView),
} as const

export const sshSessionCalls = {
  /**
   * Opens a terminal on the machine. `anyway` skips the check of whether the machine answers, but not of its host
   * key. `inside`: uses the built-in terminal. The following two also do. `keep`: a new session that continues on the
   * machine (`new`), or the session with this name. `beside`: splits this terminal. Returns `session`, the id of a
   * built-in terminal; `missing`, the chosen terminal if it is not installed; and `failed`, the name and reason of a
   * terminal that closed at once, so that the session is built-in.
   * Fails with invalid-input (user, host, identityFile), host-key-changed, host-key-refused, cannot-connect and
   * timed-out (without `anyway`), local-fault.
   */
  'ssh.connect': call(
    OneMachine.extend({
      anyway: z.boolean().optional(),
      inside: z.boolean().optional(),
      keep: z.union([z.literal('new'), KeptName]).optional(),
      beside: z.object({ session: z.string(), way: SplitWay }).optional(),
    }),
    z.object({
      terminal: z.string(),
      session: z.string().nullable(),
      missing: z.string().nullable(),
      failed: z.string().nullable(),
    }),
  ),
  /**
   * Checks the machine's host key, and returns the ssh program with its options, and the host. `folder`: working
   * directory for ssh on Windows, whose options name a file in it. Fails as ssh.connect does.
   */
  'ssh.command': call(
    OneMachine.extend({ anyway: z.boolean().optional() }),
    z.object({ file: z.string(), options: z.array(z.string()), host: z.string(), folder: z.string() }),
  ),
} as const

export const sshEvents = {
  'ssh.changed': z.object({ account: AccountId, connection: SshConnectionView }),
} as const

/** Uses of SSH without a user action, which require consent. */
export const sshPurposes = ['gpu', 'services', 'files', 'startup', 'look', 'jobs'] as const
export const SshPurpose = z.enum(sshPurposes)
export type SshPurpose = z.infer<typeof SshPurpose>

/** Answers of the user. Missing: not asked yet, or, for one machine, the same as for the account. */
export const SshAnswers = z.object({
  gpu: z.boolean().optional(),
  services: z.boolean().optional(),
  files: z.boolean().optional(),
  startup: z.boolean().optional(),
  look: z.boolean().optional(),
  jobs: z.boolean().optional(),
} satisfies Record<SshPurpose, unknown>)
export type SshAnswers = z.infer<typeof SshAnswers>

/** Consents for the machines of an account. */
export const SshConsents = z.object({
  account: AccountId,
  /** Answers for every machine, including later ones. */
  everyMachine: SshAnswers,
  machines: z.record(z.string(), SshAnswers),
})
export type SshConsents = z.infer<typeof SshConsents>

/** Returns the answer for one machine only; undefined if it follows the account. Pure. */
export function ownAnswer(
  { machines }: Pick<SshConsents, 'machines'>,
  machine: string,
  purpose: SshPurpose,
): boolean | undefined {
  return Object.hasOwn(machines, machine) ? machines[machine]?.[purpose] : undefined
}

export const allowsSsh = (
  consents: Pick<SshConsents, 'everyMachine' | 'machines'>,
  machine: string,
  purpose: SshPurpose,
): boolean => ownAnswer(consents, machine, purpose) ?? consents.everyMachine[purpose] ?? false

export const sshConsentCalls = {
  'ssh.consents': call(OneAccount, SshConsents),
  /**
   * Answers for one machine, or for every machine including later ones (null). An answer for every machine ends the
   * consents of single machines; their exceptions stay. A refusal for `gpu` deletes the readings. Fails with
   * invalid-input (machine), disk-full and local-fault.
   */
  'ssh.setConsents': call(
    OneAccount.extend({ machine: z.string().min(1).nullable(), answers: SshAnswers }),
    SshConsents,
  ),
} as const

export const sshConsentEvents = {
  'ssh.consentsChanged': SshConsents,
} as const
