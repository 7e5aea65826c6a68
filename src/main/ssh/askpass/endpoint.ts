import { z } from 'zod'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { Clock } from '../../core/clock'
import { openPrivateSocket } from '../../core/private-socket'
import { askpassVariables, maxMessageBytes, maxQuestions } from './protocol'

const Question = z.object({
  prompt: z.string().max(maxMessageBytes),
  /** Process id of the asking ssh, which may connect to a jump host. */
  asker: z.string().max(20).default(''),
  /** The text is only shown, until the asking program ends. */
  isNotice: z.boolean().default(false),
})
export type Question = z.infer<typeof Question>

/** Time without a question after which an endpoint closes; sshd ends a sign-in after 120 seconds by default. */
const idleTimeoutSeconds = 150

export interface EndpointDeps {
  readonly clock: Clock
  /** Answers one question of ssh; null: no answer. */
  answer(question: Question, gone: AbortSignal): Promise<string | null>
  /** The endpoint answers no more questions. */
  closed(): void
}

/** Socket that receives the questions of one start of ssh. */
export interface Endpoint {
  /** Environment variables that ssh needs to find it. */
  readonly env: NodeJS.ProcessEnv
  /** A question arrived. */
  readonly onAsk: Subscribe<undefined>
  close(): void
}

/**
 * Opens a socket for one start of ssh, in a folder that only this user can open. It answers clients that know its token,
 * and closes after a while without a question.
 */
export async function openEndpoint({ clock, answer, closed }: EndpointDeps): Promise<Endpoint> {
  const asks = createEmitter<undefined>()
  let questionCount = 0
  let isClosed = false
  let cancel = (): void => undefined

  async function reply(request: unknown, gone: AbortSignal): Promise<string | null> {
    const question = Question.safeParse(request)
    if (!question.success || questionCount >= maxQuestions) return null
    questionCount += 1
    cancel()
    asks.emit(undefined)
    const text = await answer(question.data, gone)
    wait()
    // ssh reads an answer up to a line break, the askpass program up to a zero byte.
    return text === null || /[\0\r\n]/.test(text) ? null : text
  }
  const socket = await openPrivateSocket({
    use: 'ask',
    // On Windows ssh asks in the terminal.
    platform: process.platform,
    maxRequestBytes: maxMessageBytes * 2,
    answer: reply,
    refuse: () => null,
  })
  function wait(): void {
    cancel()
    if (!isClosed) cancel = clock.after(idleTimeoutSeconds, close)
  }
  function close(): void {
    if (isClosed) return
    isClosed = true
    cancel()
    socket.close()
    asks.clear()
    closed()
  }

  wait()
  return {
    env: { [askpassVariables.socket]: socket.path, [askpassVariables.token]: socket.token },
    onAsk: asks.on,
    close,
  }
}
