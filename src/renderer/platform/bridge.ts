import { z } from 'zod'
import type { BridgeApi } from '#shared/bridge/channels'
import {
  Answer,
  calls,
  events,
  type CallInput,
  type CallName,
  type CallOutput,
  type EventName,
  type EventPayload,
  streamRows,
} from '#shared/bridge/index'
import type { Call } from '#shared/bridge/define'
import { FailureError } from '#shared/failure'
import { createStreams, openedPort } from './streams'

// The page's Content-Security-Policy forbids evaluation, which zod would otherwise try for speed.
z.config({ jitless: true })

// The contract, typed so that the compiler can index it by a generic name.
const rows: { readonly [Name in CallName]: Call<z.ZodType<CallInput<Name>>, z.ZodType<CallOutput<Name>>> } =
  calls
const payloads: { readonly [Name in EventName]: z.ZodType<EventPayload<Name>> } = events

/** Parses a value that belongs to the call `name`. Fails with unexpected-answer. */
function checked<Value>(schema: z.ZodType<Value>, value: unknown, name: string): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const received = issue ? `${issue.path.join('.') || 'value'}: ${issue.message}` : 'something else'
  throw new FailureError({ kind: 'unexpected-answer', expected: name, received })
}

/** Checks both directions against the contract. The window has no other way out. */
export const createBridge = (api: BridgeApi) => ({
  /** Fails with the call's failures in the contract, and unexpected-answer. */
  async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    // The bridge cannot clone reactive proxies; parsing returns plain values.
    const sent = checked(rows[name].input, input, name)
    const answer = checked(Answer, await api.call(name, sent), name)
    if (!answer.ok) throw new FailureError(answer.failure)
    return checked(rows[name].output, answer.value, name)
  },
  /** Subscribes to an event until the returned function is called. A payload that breaks the contract is reported and dropped. */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void {
    return api.on(name, (payload) => {
      const result = payloads[name].safeParse(payload)
      if (result.success) listener(result.data)
      else console.error(`The event ${name} broke its contract`, result.error.issues)
    })
  },
  /** Opens a stream, which the caller closes or reads to its end. */
  stream: createStreams(streamRows, (name, input) => openedPort(api.stream(name, input))),
})
export type Bridge = ReturnType<typeof createBridge>

export const bridge: Bridge = createBridge(window.wheelhouse)
