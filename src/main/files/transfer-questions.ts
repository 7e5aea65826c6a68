import type { LinkChoice, TakenChoice, TransferState } from '#shared/bridge/files'
import type { CallInput } from '#shared/bridge/index'
import { onAbort } from '../core/on-abort'
import { errorOf } from '../ssh/client/channel-stream'
import type { Asks, NameConflict } from './transfer-job'

type Question =
  | {
      readonly kind: 'conflict'
      readonly conflict: NameConflict
      answer(choice: TakenChoice): void
    }
  | {
      readonly kind: 'links'
      readonly links: Parameters<Asks['links']>[0]
      answer(choice: LinkChoice): void
    }

interface TransferQuestionsDeps {
  asked(): void
  answered(): void
}

export function transferQuestions({ asked, answered }: TransferQuestionsDeps) {
  let question: Question | null = null
  /** Choices for all further files, or folders. */
  const choicesForAll: Partial<Record<NameConflict['there'], TakenChoice>> = {}

  const ask = <Choice>(
    questionWith: (answer: (choice: Choice) => void) => Question,
    signal: AbortSignal,
  ): Promise<Choice> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(errorOf(signal.reason))
      const stopFollowing = onAbort(signal, abort)
      function end(): void {
        question = null
        stopFollowing()
      }
      function abort(): void {
        end()
        reject(errorOf(signal.reason))
      }
      question = questionWith((choice) => {
        end()
        resolve(choice)
        answered()
      })
      asked()
    })

  const asks: Asks = {
    conflict: async (conflict, signal) =>
      choicesForAll[conflict.there] ?? ask((answer) => ({ kind: 'conflict', conflict, answer }), signal),
    links: (links, signal) => ask((answer) => ({ kind: 'links', links, answer }), signal),
  }
  return {
    asks,
    state(): TransferState | null {
      if (question === null) return null
      return question.kind === 'conflict'
        ? { kind: 'asking', ...question.conflict }
        : { kind: 'asking-links', ...question.links }
    },
    /** Answers the question about `name`; ignores an answer to an earlier question. */
    answer({ name, choice, forAll }: Omit<CallInput<'files.answer'>, 'transfer'>): void {
      if (question?.kind !== 'conflict' || question.conflict.name !== name) return
      if (forAll) choicesForAll[question.conflict.there] = choice
      question.answer(choice)
    },
    answerLinks(choice: LinkChoice): void {
      if (question?.kind === 'links') question.answer(choice)
    },
  }
}
export type TransferQuestions = ReturnType<typeof transferQuestions>
