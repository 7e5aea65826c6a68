import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'

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

const OneAccount = z.object({ account: AccountId })

export const sshConsentCalls = {
  'ssh.consents': call(OneAccount, SshConsents),
  /**
   * Answers for one machine, or for every machine of the account, also later ones (null). An answer for every machine ends
   * the consents of single machines; their exceptions stay. A refusal for `gpu` deletes the readings. Fails with
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
