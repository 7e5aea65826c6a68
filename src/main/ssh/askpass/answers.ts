import type { AccountId } from '#shared/bridge/account'
import type { AskpassQuestion, KeepAnswer } from '#shared/bridge/askpass'
import type { createQuestions } from '../../core/questions'
import type { ReportError } from '../../core/report-error'
import { fingerprint, type HostKey } from '../client/host-key'
import type { createPassphrases } from './passphrases'
import type { Prompt, PromptTarget } from './prompts'

/** An answer of the user. */
export interface Answer {
  readonly text: string
  readonly keep: KeepAnswer
}

export interface AnswerDeps {
  readonly questions: Pick<ReturnType<typeof createQuestions<AskpassQuestion, Answer>>, 'ask'>
  readonly passphrases: Pick<ReturnType<typeof createPassphrases>, 'read' | 'keep' | 'drop'>
  readonly report: ReportError
  /** The password that the service reports for the machine; null: none. */
  password(account: AccountId, machine: string): string | null
}

/** One start of ssh, or of the application's own client, that may ask questions. */
export interface AskingStart extends PromptTarget {
  readonly account: AccountId
  readonly machine: string
  readonly machineName: string
  readonly identityFile: string | null
  /** Keys that are recorded for the machine now. */
  hostKeys(): Promise<readonly HostKey[]>
  /** Records that the user has seen the key. */
  confirmHostKey(key: HostKey): Promise<void>
  /** Drops the recorded keys: the user did not confirm the first one. */
  forgetHostKeys(): Promise<void>
  /** Answers from stored secrets only; asks the user nothing. */
  readonly isSilent?: boolean
}

/** Answers the questions of one start: from stored secrets, else by asking the user. Null: no answer. */
export function answersOf(deps: AnswerDeps, start: AskingStart) {
  const { questions, passphrases, report } = deps
  const { account, machine, machineName, user } = start
  const askedKeys = new Set<string>()
  let wasPasswordAsked = false
  let isRefused = false
  const first = (key: string): boolean => {
    const isFirst = !askedKeys.has(key)
    askedKeys.add(key)
    return isFirst
  }
  const ask = async (question: Omit<AskpassQuestion, 'id' | 'account' | 'machine'>, gone: AbortSignal) =>
    start.isSilent ? null : questions.ask((id) => ({ id, account, machine: machineName, ...question }), gone)

  return {
    /** Asks the user to confirm the host key. If they refuse, the machine's recorded keys are dropped. */
    async confirms(key: HostKey | undefined, gone: AbortSignal): Promise<boolean> {
      if (start.isSilent) return false
      const kind = deps.password(account, machine) === null ? 'host-key' : 'first-contact'
      if (key && (await ask({ kind, subject: fingerprint(key), isAgain: false }, gone)) !== null) {
        const { type, blob } = key
        await start.confirmHostKey({ type, blob }).catch((error: unknown) => report('askpass', error))
        return true
      }
      // A closed terminal is no refusal: the key stays unseen, and the question comes again.
      if (!gone.aborted) await start.forgetHostKeys()
      return false
    },
    /** `mayAnswer`: whether the machine may get its password. Otherwise it gets no typed password either. */
    async password(gone: AbortSignal, mayAnswer: () => Promise<boolean>): Promise<string | null> {
      // Sent once: a second question means that the machine refused it.
      const isAgain = wasPasswordAsked
      const own = isAgain ? null : deps.password(account, machine)
      wasPasswordAsked = true
      if (own !== null && (await mayAnswer())) return own
      isRefused ||= own !== null
      if (isRefused) return null
      return (await ask({ kind: 'password', subject: `${user}@${machineName}`, isAgain }, gone))?.text ?? null
    },
    /** `asker`: process of the ssh that asks; the ssh of each jump host may ask for the same key. */
    async passphrase(path: string, gone: AbortSignal, asker = ''): Promise<string | null> {
      const isFirst = first(`${asker} ${path}`)
      if (isFirst) {
        const stored = await passphrases.read(path)
        if (stored !== null) return stored
      } else await passphrases.drop(path).catch((error: unknown) => report('askpass', error))
      const answer = await ask({ kind: 'passphrase', subject: path, isAgain: !isFirst }, gone)
      if (answer === null) return null
      await passphrases
        .keep(path, answer.text, answer.keep)
        .catch((error: unknown) => report('askpass', error))
      return answer.text
    },
    /** Asks the user whether the key of a jump host is trusted. */
    async newHost(host: Extract<Prompt, { kind: 'new-host' }>, gone: AbortSignal): Promise<boolean> {
      const { address, type, fingerprint: subject } = host
      const question = { kind: 'new-host' as const, subject, isAgain: false, hostKey: { address, type } }
      return (await ask(question, gone)) !== null
    },
    /** Shows that ssh waits for a touch of a hardware key, until it stops waiting. */
    async touch(subject: string, gone: AbortSignal): Promise<void> {
      await ask({ kind: 'touch', subject, isAgain: false }, gone)
    },
    /** Asks the user any other question. `more`: the host that asks if it is not the machine, and whether to show the input. */
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
