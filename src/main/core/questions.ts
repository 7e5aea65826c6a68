import { randomUUID } from 'node:crypto'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import type { Clock } from './clock'
import { onAbort } from './on-abort'

export interface QuestionsDeps<Question> {
  readonly clock: Pick<Clock, 'after'>
  /** Time to answer, in seconds. */
  readonly timeoutSeconds: number
  /** Called with each new question. */
  onQuestion(question: Question): void
}

/** Questions that wait for the user, oldest first. */
export function createQuestions<Question extends { readonly id: string }, Answer>({
  clock,
  timeoutSeconds,
  onQuestion,
}: QuestionsDeps<Question>) {
  const waiting = new Map<string, { readonly question: Question; settle(answer: Answer | null): void }>()
  const changes = createEmitter<Question[]>()
  const list = (): Question[] => [...waiting.values()].map(({ question }) => question)

  const settle = (id: string, answer: Answer | null): void => {
    const entry = waiting.get(id)
    if (entry === undefined) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    waiting.delete(id)
    entry.settle(answer)
    changes.emit(list())
  }

  return {
    list,
    settle,
    onChange: changes.on,
    /** Resolves to the user's answer; null if they cancelled, took too long, or `gone` aborted. */
    ask: (question: (id: string) => Question, gone?: AbortSignal): Promise<Answer | null> =>
      new Promise((resolve) => {
        const asked = question(randomUUID())
        const { id } = asked
        const drop = (): void => {
          if (waiting.has(id)) settle(id, null)
        }
        const cancel = clock.after(timeoutSeconds, drop)
        const stop = gone && onAbort(gone, drop)
        waiting.set(id, {
          question: asked,
          settle: (answer) => {
            cancel()
            stop?.()
            resolve(answer)
          },
        })
        if (gone?.aborted) return drop()
        changes.emit(list())
        onQuestion(asked)
      }),
    /** Ends questions, as if they had no answer in time. */
    drop(isOver: (question: Question) => boolean): void {
      for (const question of list()) if (isOver(question)) settle(question.id, null)
    },
    close(): void {
      for (const id of waiting.keys()) settle(id, null)
      changes.clear()
    },
  }
}
