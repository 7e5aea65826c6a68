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
    const output = callRows[name].output.safeParse(await handlers[name](parsed.data))
    if (output.success) return { ok: true, value: output.data }
    const path = output.error.issues[0]?.path.join('.') ?? ''
    return {
      ok: false,
      failure: { kind: 'local-fault', action: name, reason: `answer does not fit: ${path}` },
    }
  } catch (error) {
    return { ok: false, failure: failureOf(error, name) }
  }
}

/**
 * Answers one message from the window: checks the input, runs the handler, checks the output. Never throws: every error
 * becomes a failure in the answer. Input that does not fit the contract is `invalid-input` and names the field.
 */
export const answerCall = (handlers: Handlers, name: unknown, input: unknown): Promise<Answer> =>
  isCallName(name) ? answerKnown(handlers, name, input) : Promise.resolve(invalidInput('call', 'unknown'))
