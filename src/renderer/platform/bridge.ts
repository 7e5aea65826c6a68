import { z } from 'zod'
import type { BridgeApi } from '#shared/bridge/channels'
import {
  Answer,
  callRows,
  events,
  type CallInput,
  type CallName,
  type CallOutput,
  type EventName,
  type EventPayload,
  streamRows,
} from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { plainCopy } from './plain-copy'
import { createStreams, openedPort } from './streams'

// The page's Content-Security-Policy forbids evaluation, which zod would otherwise try for speed.
z.config({ jitless: true })

/** `events`, typed so that a row looked up by a generic name keeps its types together. */
const payloads: { readonly [Name in EventName]: z.ZodType<EventPayload<Name>> } = events

/** Validates the answer to the call `name`. Fails with unexpected-answer. */
function checked<Value>(schema: z.ZodType<Value>, value: unknown, name: string): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const received = issue ? `${issue.path.join('.') || 'value'}: ${issue.message}` : 'something else'
  throw new FailureError({ kind: 'unexpected-answer', expected: name, received })
}

/** Creates the window's only access to the main process. Main validates the input. */
export const createBridge = (api: BridgeApi) => ({
  /** Fails as the contract documents, and with unexpected-answer. */
  async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    const answer = checked(Answer, await api.call(name, plainCopy(input)), name)
    if (!answer.ok) throw new FailureError(answer.failure)
    return checked(callRows[name].output, answer.value, name)
  },
  /** Subscribes to an event. Reports and drops an invalid payload. Returns a function that unsubscribes. */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void {
    return api.on(name, (payload) => {
      const result = payloads[name].safeParse(payload)
      if (result.success) listener(result.data)
      else console.error(`The event ${name} broke its contract`, result.error.issues)
    })
  },
  stream: createStreams(streamRows, (name, input) => openedPort(api.stream(name, input))),
})
export type Bridge = ReturnType<typeof createBridge>

export const bridge: Bridge = createBridge(window.wheelhouse)
