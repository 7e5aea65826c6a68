import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'

/** Bytes that ssh takes of an answer, less its line break; a character has up to four. */
const longestAnswer = 1_000

/** What ssh can be answered: one line. */
export const AnswerText = z
  .string()
  .max(longestAnswer)
  .refine((text) => !/[\0\r\n]/.test(text))

/** What ssh asks for, and only a person knows. */
export const AskpassQuestion = z.object({
  id: z.string(),
  account: AccountId,
  /** The machine's name. */
  machine: z.string(),
  /**
   * `first-contact`: whether the machine's own password may go to it; `host-key`: whether what is typed may; `new-host`:
   * whether anything connects there. Their answer is empty. `touch`: a hardware key waits for a touch; there is none.
   */
  kind: z.enum(['password', 'passphrase', 'first-contact', 'host-key', 'new-host', 'touch', 'other']),
  /** user@host, the path of the key, the fingerprint of the machine's host key, or the text of the program that asks, which may be hostile. */
  subject: z.string(),
  /** The answer before this one was not accepted. */
  isAgain: z.boolean(),
  /** Of `new-host`: where the key was offered (host:port), and its type as in known_hosts. */
  hostKey: z.object({ address: z.string(), type: z.string() }).optional(),
  /** Of `other`: user@host that asks, where it is another host on the way to the machine. */
  from: z.string().optional(),
  /** What is typed need not be hidden. */
  isEchoed: z.literal(true).optional(),
})
export type AskpassQuestion = z.infer<typeof AskpassQuestion>

/** Where a passphrase is kept: nowhere, in memory until the application quits, in the system's keychain. */
export const KeepAnswer = z.enum(['no', 'session', 'keychain'])
export type KeepAnswer = z.infer<typeof KeepAnswer>

const OneQuestion = z.object({ id: z.string() })

export const askpassCalls = {
  'askpass.questions': call(z.object({}), z.array(AskpassQuestion)),
  /**
   * `keep` counts for passphrases alone. Fails with invalid-input (id: unknown), where it is too late. Where the
   * keychain cannot be used, a passphrase is kept until the application quits.
   */
  'askpass.answer': call(
    OneQuestion.extend({
      answer: AnswerText,
      keep: KeepAnswer,
    }),
    z.void(),
  ),
  'askpass.cancel': call(OneQuestion, z.void()),
  /** Forgets the passphrases that are kept, in memory and in the keychain. Fails with keychain-unavailable. */
  'askpass.forget': call(z.object({}), z.void()),
  /** How many passphrases are kept, and how the computer's ssh asks. */
  'askpass.state': call(
    z.object({}),
    z.object({
      kept: z.number().int(),
      /** As `ssh -V` says it; null where there is no ssh. */
      version: z.string().nullable(),
      /** `window`: in a window of ours; `own`: the person's environment names another program. */
      asks: z.enum(['window', 'terminal', 'own']),
    }),
  ),
} as const

export const askpassEvents = { 'askpass.changed': z.array(AskpassQuestion) } as const
