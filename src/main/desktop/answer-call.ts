import { type Answer, type CallName, callRows, calls, type Handlers } from '#shared/bridge/index'
import type { InvalidReason } from '#shared/failure'
import { failureOf } from '../core/failure-of'

const isCallName = (name: unknown): name is CallName => typeof name === 'string' && Object.hasOwn(calls, name)

const invalidInput = (field: string, reason: InvalidReason): Answer => ({
  ok: false,
  failure: { kind: 'invalid-input', field, reason },
})

async function answerKnown<Name extends CallName>(
  handlers: Handlers,
  name: Name,
  input: unknown,
): Promise<Answer> {
  const parsed = callRows[name].input.safeParse(input)
  if (!parsed.success) return invalidInput(parsed.error.issues[0]?.path.join('.') || name, 'malformed')
  try {
    return { ok: true, value: await handlers[name](parsed.data) }
  } catch (error) {
    return { ok: false, failure: failureOf(error, name) }
  }
}

/**
 * Answers one message from the window: validates the input and runs the handler. The window validates the answer. Never
 * throws: every error becomes a failure in the answer. Invalid input is `invalid-input` and names the field.
 */
export const answerCall = (handlers: Handlers, name: unknown, input: unknown): Promise<Answer> =>
  isCallName(name) ? answerKnown(handlers, name, input) : Promise.resolve(invalidInput('call', 'unknown'))
