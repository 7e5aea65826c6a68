import { createEmitter } from '#shared/emitter'
import { cut, oneLine } from '../../core/one-line'
import type { HostKey } from '../client/host-key'
import type { MachinePrompt, SignInAnswers } from '../client/sign-in'
import { type AnswerDeps, answersOf, type AskingStart } from './answers'
import { readPrompt } from './prompts'
import { maxQuestions } from './protocol'

/** Characters that the window shows of a machine's texts. */
const maxLengths = { name: 100, instruction: 400, prompt: 400 } as const

/** Joins a machine's texts in one line; the question stays visible at its end. */
const shownPrompt = ({ name, instruction, prompt }: MachinePrompt): string =>
  [cut(oneLine(name), maxLengths.name), cut(oneLine(instruction), maxLengths.instruction)]
    .concat(cut(oneLine(prompt), maxLengths.prompt))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ')

export interface ClientAnswersDeps extends AnswerDeps, Pick<SignInAnswers, 'clock'> {
  /** The client gets no more answers. */
  closed(): void
}

/** Answers a client in this process with the endpoint's limits: a number of questions, and none once it is closed. */
export function createClientAnswers(deps: ClientAnswersDeps, start: AskingStart) {
  const answers = answersOf(deps, start)
  const closing = new AbortController()
  const open = createEmitter<boolean>()
  const { signal } = closing
  let questionCount = 0
  let isUnanswered = false

  /** Returns null without an answer, and after too many questions. */
  async function counted<Value>(question: () => Promise<Value | null>): Promise<Value | null> {
    if (signal.aborted || questionCount >= maxQuestions) return null
    questionCount += 1
    open.emit(true)
    try {
      const answer = await question()
      isUnanswered = answer === null
      return signal.aborted ? null : answer
    } catch (error) {
      // For example, recorded host keys that the user refused can't be removed.
      if (!signal.aborted) deps.report('askpass', error)
      return null
    } finally {
      open.emit(false)
    }
  }
  const password = (): Promise<string | null> => answers.password(signal, () => Promise.resolve(true))

  return {
    clock: deps.clock,
    onAsk: open.on,
    confirms: async (key: HostKey): Promise<boolean> =>
      (await counted(async () => ((await answers.confirms(key, signal)) ? true : null))) ?? false,
    password: () => counted(password),
    // Stops the machine's clock while the key is unlocked, which takes seconds.
    passphrase: <Key>(path: string, unlock: (passphrase: string, gone: AbortSignal) => Promise<Key>) =>
      counted(async () => {
        const passphrase = await answers.passphrase(path, signal)
        return passphrase === null ? null : unlock(passphrase, signal)
      }),
    prompt: (prompt: MachinePrompt) =>
      counted(() => {
        // Classifies the machine's own text, not the shortened one. OpenSSH marks it in the same way.
        const { kind } = readPrompt(`(${start.user}@${start.alias}) ${prompt.prompt}`, start)
        if (kind === 'password' && !prompt.isEchoed) return password()
        return answers.other(shownPrompt(prompt), signal, prompt.isEchoed ? { isEchoed: true } : {})
      }),
    /** Whether there was a question, also if a stored secret answered it. */
    wasAsked: (): boolean => questionCount > 0,
    /** Whether the user left the last question unanswered. */
    isUnanswered: (): boolean => isUnanswered,
    /** Stops asking and answering. */
    close(): void {
      closing.abort()
      open.clear()
      deps.closed()
    },
  }
}
export type ClientAnswers = ReturnType<typeof createClientAnswers>
