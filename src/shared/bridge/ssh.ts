import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'
import { KeptName, SplitWay } from './terminal'

/**
 * A terminal known to the application; `path` is null where it was not found on this system, and empty for the one
 * inside the application. `command`: of the person's own terminal, what opens it.
 */
export const TerminalView = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string().nullable(),
  command: z.string().optional(),
})
export type TerminalView = z.infer<typeof TerminalView>

/** A private key file that ssh may use. */
export const IdentityView = z.object({
  path: z.string(),
  /** Key type and comment of the public half beside it, where there is one. */
  type: z.string().nullable(),
  comment: z.string().nullable(),
})
export type IdentityView = z.infer<typeof IdentityView>

/** What every machine of an account starts from; null: what the service says, or ssh's own default. */
export const SshDefaults = z.object({
  user: z.string().nullable(),
  port: z.number().int().nullable(),
  identityFile: z.string().nullable(),
  /** `host`, `user@host` or `user@host:port`: where ssh connects first; `none`: nowhere, whatever the account has. */
  jumpHost: z.string().nullable().optional(),
  /** Whether programs on the machine can use the keys of the person's agent; null: no, whatever ~/.ssh/config says. */
  forwardAgent: z.boolean().nullable().optional(),
  /** Options of ssh_config(5), `Name=value` with blanks between them; those that are permitted alone. */
  options: z.string().nullable().optional(),
})
export type SshDefaults = z.infer<typeof SshDefaults>

/** Everything the Connection tab shows about reaching one machine. */
export const SshConnectionView = z.object({
  machine: z.string(),
  /** Null where the service does not report it and nobody has set it. */
  user: z.string().nullable(),
  host: z.string().nullable(),
  port: z.number().int(),
  /** Null: ssh's own choice of keys. */
  identityFile: z.string().nullable(),
  jumpHost: z.string().nullable(),
  forwardAgent: z.boolean(),
  options: z.string().nullable(),
  /** What a person would type; null while user or host is unknown. */
  command: z.string().nullable(),
  /** Fingerprint (SHA256:…) recorded at first contact; null before it. */
  hostKey: z.string().nullable(),
  /** What the person has set, over what the service says. */
  settings: SshDefaults,
  /** Name of the terminal that Connect will open. */
  terminal: z.string(),
  /** Whether Connect opens another terminal than the one inside the application. */
  offersInside: z.boolean(),
  /** The one inside has no OpenSSH, or no pseudo-terminal for it: the application's own client serves, and has limits. */
  usesOwnClient: z.boolean(),
})
export type SshConnectionView = z.infer<typeof SshConnectionView>

const OneMachine = z.object({ account: AccountId, machine: z.string().min(1) })

export const sshCalls = {
  'ssh.terminals': call(z.object({}), z.array(TerminalView)),
  /**
   * Sets the command that opens a terminal of the person's own, with `{command}` as a word for ssh and `{title}` for the
   * machine's name; null removes it. Fails with invalid-input (command).
   */
  'ssh.setCommand': call(z.object({ command: z.string().nullable() }), z.array(TerminalView)),
  /** Private keys found in ~/.ssh. */
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
  'ssh.defaults': call(z.object({ account: AccountId }), SshDefaults),
  /** Fails with invalid-input (user, port, identityFile, jumpHost, options). */
  'ssh.configureAccount': call(SshDefaults.partial().extend({ account: AccountId }), SshDefaults),
  /** A file dialog for the identity file; the connection as it is after the choice. */
  'ssh.chooseIdentity': call(OneMachine, SshConnectionView),
  /**
   * Drops a recorded host key, so that the next contact records a new one. The user must have confirmed that. `host`: as
   * host-key-changed names it. If it is a jump host, only its key is dropped.
   */
  'ssh.forgetHostKey': call(OneMachine.extend({ host: z.string().optional() }), SshConnectionView),
} as const

export const sshSessionCalls = {
  /**
   * Opens a terminal connected to the machine. Fails with invalid-input (user, host, identityFile), host-key-changed,
   * host-key-refused, cannot-connect and timed-out (nothing answered; `anyway` skips that check, never the host key's), local-fault.
   * `inside`: in the application, whichever terminal is chosen. `keep`: there too, in a session that continues on the
   * machine: a new one (`new`), or the one of this name. `beside`: there too, split off this terminal. `session` is the id
   * of a terminal inside. `missing`: the name of the terminal that the person chose, where it is not installed.
   * `failed`: the name of the one that did not stay open, with the reason: the session is inside in its place.
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
} as const

export const sshEvents = {
  /** A connection that the window has read is another now: a host key was recorded, or a setting changed. */
  'ssh.changed': z.object({ account: AccountId, connection: SshConnectionView }),
} as const

/** What SSH may be used for without an action of the user: such an action needs no consent of its own. */
export const sshPurposes = ['gpu', 'services', 'files'] as const
export const SshPurpose = z.enum(sshPurposes)
export type SshPurpose = z.infer<typeof SshPurpose>

/** The user's answers. A missing one: not asked yet, or, for one machine, the same as for the account. */
export const SshAnswers = z.object({
  gpu: z.boolean().optional(),
  services: z.boolean().optional(),
  files: z.boolean().optional(),
} satisfies Record<SshPurpose, unknown>)
export type SshAnswers = z.infer<typeof SshAnswers>

/** What SSH may be used for on the machines of an account. */
export const SshConsents = z.object({
  account: AccountId,
  /** Answers for every machine, also later ones. */
  everyMachine: SshAnswers,
  /** Answers for machines that differ, by id. */
  machines: z.record(z.string(), SshAnswers),
})
export type SshConsents = z.infer<typeof SshConsents>

/** The answer for one machine alone; undefined: the same as for the account. Pure. */
export function ownAnswer(
  { machines }: Pick<SshConsents, 'machines'>,
  machine: string,
  purpose: SshPurpose,
): boolean | undefined {
  return Object.hasOwn(machines, machine) ? machines[machine]?.[purpose] : undefined
}

/** Whether SSH may be used on a machine for this purpose. Pure. */
export const allowsSsh = (
  consents: Pick<SshConsents, 'everyMachine' | 'machines'>,
  machine: string,
  purpose: SshPurpose,
): boolean => ownAnswer(consents, machine, purpose) ?? consents.everyMachine[purpose] ?? false

export const sshConsentCalls = {
  'ssh.consents': call(z.object({ account: AccountId }), SshConsents),
  /**
   * Answers for one machine, or for every machine of the account, also later ones (null). An answer for every machine ends
   * the consents of single machines; their exceptions stay. A refusal for `gpu` deletes the readings. Fails with
   * invalid-input (machine), disk-full and local-fault.
   */
  'ssh.setConsents': call(
    z.object({ account: AccountId }).extend({ machine: z.string().min(1).nullable(), answers: SshAnswers }),
    SshConsents,
  ),
} as const

export const sshConsentEvents = {
  'ssh.consentsChanged': SshConsents,
} as const
