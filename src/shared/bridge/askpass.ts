import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'

/** Bytes that ssh accepts in an answer without its line break; a character has up to four. */
const maxAnswerLength = 1_000

/** An answer to an ssh prompt: one line. */
export const AnswerText = z
  .string()
  .max(maxAnswerLength)
  .refine((text) => !/[\0\r\n]/.test(text))

export const AskpassQuestion = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  /**
   * `first-contact`: confirms sending the machine's password. `host-key`: confirms sending typed input. `new-host`:
   * confirms connecting. Their answers are empty. `touch`: a hardware key waits for a touch and no answer.
   */
  kind: z.enum(['password', 'passphrase', 'first-contact', 'host-key', 'new-host', 'touch', 'other']),
  /** user@host, path of the key, fingerprint of the host key, or text of a program, which may be hostile. */
  subject: z.string(),
  isAgain: z.boolean(),
  /** For `new-host`: address that offered the key (host:port), and its type as in known_hosts. */
  hostKey: z.object({ address: z.string(), type: z.string() }).optional(),
  /** For `other`: user@host of a jump host that prompts. */
  from: z.string().optional(),
  isEchoed: z.literal(true).optional(),
})
export type AskpassQuestion = z.infer<typeof AskpassQuestion>

/** Storage of a passphrase: none, in memory until the application quits, or in the system's keychain. */
export const KeepAnswer = z.enum(['no', 'session', 'keychain'])
export type KeepAnswer = z.infer<typeof KeepAnswer>

const OneQuestion = z.object({ id: z.string() })

export const askpassCalls = {
  'askpass.questions': call(z.object({}), z.array(AskpassQuestion)),
  /**
   * `keep` applies to passphrases only; without a keychain it lasts until the application quits. Fails with
   * invalid-input (id: unknown) if the prompt has ended.
   */
  'askpass.answer': call(
    OneQuestion.extend({
      answer: AnswerText,
      keep: KeepAnswer,
    }),
    z.void(),
  ),
  'askpass.cancel': call(OneQuestion, z.void()),
  'askpass.forget': call(z.object({}), z.void()),
  /** Number of stored passphrases, and how the computer's ssh prompts. */
  'askpass.state': call(
    z.object({}),
    z.object({
      kept: z.number().int(),
      /** Output of `ssh -V`; null without ssh. */
      version: z.string().nullable(),
      /** `window`: prompts appear in a window of ours. `own`: the user's environment names another program. */
      asks: z.enum(['window', 'terminal', 'own']),
    }),
  ),
} as const

export const askpassEvents = { 'askpass.changed': z.array(AskpassQuestion) } as const
