import { randomUUID } from 'node:crypto'
import type { AskpassQuestion, KeepAnswer } from '#shared/bridge/askpass'
import { FailureError } from '#shared/failure'
import type { Clock } from '../../core/clock'
import { onAbort } from '../../core/on-abort'
import { createEmitter } from '#shared/emitter'

/** Time to answer; sshd ends a sign-in after 120 seconds by default. */
const questionTimeoutSeconds = 115

export interface Answer {
  readonly text: string
  readonly keep: KeepAnswer
}

/** Questions that wait for the user, oldest first. `onQuestion`: called with each new question. */
export function createQuestions(clock: Clock, onQuestion: (question: AskpassQuestion) => void) {
  const waiting = new Map<
    string,
    { readonly question: AskpassQuestion; settle(answer: Answer | null): void }
  >()
  const changes = createEmitter<AskpassQuestion[]>()
  const list = (): AskpassQuestion[] => [...waiting.values()].map(({ question }) => question)

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
    /** Resolves to the user's answer; null if they cancelled, took too long, or ssh ended. */
    ask: (question: Omit<AskpassQuestion, 'id'>, gone: AbortSignal): Promise<Answer | null> =>
      new Promise((resolve) => {
        const id = randomUUID()
        const drop = (): void => {
          if (waiting.has(id)) settle(id, null)
        }
        const cancel = clock.after(questionTimeoutSeconds, drop)
        const stop = onAbort(gone, drop)
        waiting.set(id, {
          question: { id, ...question },
          settle: (answer) => {
            cancel()
            stop()
            resolve(answer)
          },
        })
        if (gone.aborted) return drop()
        changes.emit(list())
        onQuestion({ id, ...question })
      }),
    close(): void {
      for (const id of waiting.keys()) settle(id, null)
      changes.clear()
    },
  }
}
