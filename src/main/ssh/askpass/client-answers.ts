import { createEmitter } from '#shared/emitter'
import { cut, oneLine } from '../../core/one-line'
import type { HostKey } from '../client/host-key'
import type { MachinePrompt, SignInAnswers } from '../client/sign-in'
import { type AnswerDeps, answersOf, type AskingStart } from './answers'
import { readPrompt } from './prompts'
import { mostQuestions } from './protocol'

/** Characters that are shown of what a machine writes about its question, and of the question. */
const longest = { name: 100, instruction: 400, prompt: 400 } as const

/** A machine's words in one line, with its question at the end however long the others are. */
const shownPrompt = ({ name, instruction, prompt }: MachinePrompt): string =>
  [cut(oneLine(name), longest.name), cut(oneLine(instruction), longest.instruction)]
    .concat(cut(oneLine(prompt), longest.prompt))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ')

export interface ClientAnswersDeps extends AnswerDeps, Pick<SignInAnswers, 'clock'> {
  /** Nothing is answered any more. */
  closed(): void
}

/** Answers a client in this process, as the endpoint answers ssh: as many questions, and none once it is closed. */
export function createClientAnswers(deps: ClientAnswersDeps, start: AskingStart) {
  const answers = answersOf(deps, start)
  const closing = new AbortController()
  const open = createEmitter<boolean>()
  const { signal } = closing
  let asked = 0
  let isUnanswered = false

  /** Null where there have been too many questions, too. */
  async function counted<Value>(question: () => Promise<Value | null>): Promise<Value | null> {
    if (signal.aborted || asked >= mostQuestions) return null
    asked += 1
    open.emit(true)
    try {
      const answer = await question()
      isUnanswered = answer === null
      return signal.aborted ? null : answer
    } catch (error) {
      // As where what a person refused cannot be forgotten.
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
    // Unlocking takes seconds, which are not the machine's.
    passphrase: <Key>(path: string, unlock: (passphrase: string, gone: AbortSignal) => Promise<Key>) =>
      counted(async () => {
        const given = await answers.passphrase(path, signal)
        return given === null ? null : unlock(given, signal)
      }),
    prompt: (prompt: MachinePrompt) =>
      counted(() => {
        // By what the machine wrote, not by what is shown of it. OpenSSH marks its words in the same way.
        const { kind } = readPrompt(`(${start.user}@${start.alias}) ${prompt.prompt}`, start)
        if (kind === 'password' && !prompt.isEchoed) return password()
        return answers.other(shownPrompt(prompt), signal, prompt.isEchoed ? { isEchoed: true } : {})
      }),
    /** Anything has been asked, whoever answered. */
    wasAsked: (): boolean => asked > 0,
    /** The person left the last question unanswered. */
    isUnanswered: (): boolean => isUnanswered,
    /** Nothing is asked or answered any more. */
    close(): void {
      closing.abort()
      open.clear()
      deps.closed()
    },
  }
}
export type ClientAnswers = ReturnType<typeof createClientAnswers>
