import { randomUUID } from 'node:crypto'
import type { AskpassQuestion, KeepAnswer } from '#shared/bridge/askpass'
import { FailureError } from '#shared/failure'
import type { Clock } from '../../core/clock'
import { onAbort } from '../../core/on-abort'
import { createEmitter } from '#shared/emitter'

/** Seconds that a person has; sshd by itself ends a sign-in after 120. */
const questionTimeoutSeconds = 115

export interface Answer {
  readonly text: string
  readonly keep: KeepAnswer
}

/** Questions that wait for the person, the oldest first. */
export function createQuestions(clock: Clock, asked: (question: AskpassQuestion) => void) {
  const waiting = new Map<
    string,
    { readonly question: AskpassQuestion; settle(answer: Answer | null): void }
  >()
  const changes = createEmitter<AskpassQuestion[]>()
  const list = (): AskpassQuestion[] => [...waiting.values()].map(({ question }) => question)

  const settle = (id: string, answer: Answer | null): void => {
    const found = waiting.get(id)
    if (found === undefined) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    waiting.delete(id)
    found.settle(answer)
    changes.emit(list())
  }

  return {
    list,
    settle,
    onChange: changes.on,
    /** The person's answer; null where there is none: cancelled, too late, or ssh has ended. */
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
        asked({ id, ...question })
      }),
    close(): void {
      for (const id of waiting.keys()) settle(id, null)
      changes.clear()
    },
  }
}
