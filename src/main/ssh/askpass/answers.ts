import type { AccountId } from '#shared/bridge/account'
import type { AskpassQuestion } from '#shared/bridge/askpass'
import type { ReportError } from '../../core/report-error'
import { fingerprint, type HostKey } from '../client/host-key'
import type { createPassphrases } from './passphrases'
import type { Prompt, PromptTarget } from './prompts'
import type { createQuestions } from './questions'

export interface AnswerDeps {
  readonly questions: Pick<ReturnType<typeof createQuestions>, 'ask'>
  readonly passphrases: Pick<ReturnType<typeof createPassphrases>, 'read' | 'keep' | 'drop'>
  readonly report: ReportError
  /** The machine's own password, where the service reports one. */
  password(account: AccountId, machine: string): string | null
}

/** One start of ssh, or of a client of our own, that may ask. */
export interface AskingStart extends PromptTarget {
  readonly account: AccountId
  readonly machine: string
  readonly machineName: string
  readonly identityFile: string | null
  /** The keys recorded for the machine by now. */
  hostKeys(): Promise<readonly HostKey[]>
  /** The person has seen it. */
  confirmHostKey(key: HostKey): Promise<void>
  /** Drops them: the person did not confirm the first one. */
  forgetHostKeys(): Promise<void>
  /** Only what is known is answered; the person is asked nothing. */
  readonly isSilent?: boolean
}

/** How the questions of one start are answered: from what is known, else by asking the person. Null: not at all. */
export function answersOf(deps: AnswerDeps, start: AskingStart) {
  const { questions, passphrases, report } = deps
  const { account, machine, machineName, user } = start
  const asked = new Set<string>()
  let wasGiven = false
  let isRefused = false
  const first = (key: string): boolean => {
    const isFirst = !asked.has(key)
    asked.add(key)
    return isFirst
  }
  const ask = async (question: Omit<AskpassQuestion, 'id' | 'account' | 'machine'>, gone: AbortSignal) =>
    start.isSilent ? null : questions.ask({ account, machine: machineName, ...question }, gone)

  return {
    /** Whether the person takes this key for the machine's; where not, what is recorded for it is forgotten. */
    async confirms(key: HostKey | undefined, gone: AbortSignal): Promise<boolean> {
      if (start.isSilent) return false
      const kind = deps.password(account, machine) === null ? 'host-key' : 'first-contact'
      if (key && (await ask({ kind, subject: fingerprint(key), isAgain: false }, gone)) !== null) {
        const { type, blob } = key
        await start.confirmHostKey({ type, blob }).catch((error: unknown) => report('askpass', error))
        return true
      }
      // Who closed the terminal has not judged it: it stays unseen, and is asked about again.
      if (!gone.aborted) await start.forgetHostKeys()
      return false
    },
    /** `mayGive`: whether the machine's own password may go there; where not, no other does either. */
    async password(gone: AbortSignal, mayGive: () => Promise<boolean>): Promise<string | null> {
      // Given once: a second question means that it was not accepted.
      const own = wasGiven ? null : deps.password(account, machine)
      const isAgain = wasGiven
      wasGiven = true
      if (own !== null && (await mayGive())) return own
      isRefused ||= own !== null
      if (isRefused) return null
      return (await ask({ kind: 'password', subject: `${user}@${machineName}`, isAgain }, gone))?.text ?? null
    },
    /** `asker`: each ssh on the way asks for itself, perhaps for the same key. */
    async passphrase(path: string, gone: AbortSignal, asker = ''): Promise<string | null> {
      const isFirst = first(`${asker} ${path}`)
      if (isFirst) {
        const kept = await passphrases.read(path)
        if (kept !== null) return kept
      } else await passphrases.drop(path).catch((error: unknown) => report('askpass', error))
      const answer = await ask({ kind: 'passphrase', subject: path, isAgain: !isFirst }, gone)
      if (answer === null) return null
      await passphrases
        .keep(path, answer.text, answer.keep)
        .catch((error: unknown) => report('askpass', error))
      return answer.text
    },
    /** Whether the person trusts the key of a host on the way. */
    async newHost(host: Extract<Prompt, { kind: 'new-host' }>, gone: AbortSignal): Promise<boolean> {
      const { address, type, fingerprint: subject } = host
      const question = { kind: 'new-host' as const, subject, isAgain: false, hostKey: { address, type } }
      return (await ask(question, gone)) !== null
    },
    /** Shows that ssh waits for a touch of the hardware key that it names, until that is over. */
    async touch(subject: string, gone: AbortSignal): Promise<void> {
      await ask({ kind: 'touch', subject, isAgain: false }, gone)
    },
    /** What nobody but a person can answer. `more`: who asks, where it is not the machine, and whether it is hidden. */
    async other(
      text: string,
      gone: AbortSignal,
      more: Pick<AskpassQuestion, 'isEchoed' | 'from'> = {},
    ): Promise<string | null> {
      const question = { kind: 'other' as const, subject: text, isAgain: !first(text), ...more }
      return (await ask(question, gone))?.text ?? null
    },
  }
}
