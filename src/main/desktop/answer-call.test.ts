import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { answerCall } from './answer-call'

const account = 'a1b2c3d4e5f6'

/** Creates the main process with these handlers. */
const withHandlers = (some: Partial<Record<keyof Handlers, (input: never) => unknown>>): Handlers =>
  z.custom<Handlers>(() => true).parse(some)

const refused = (field: string, reason: string) => ({
  ok: false,
  failure: { kind: 'invalid-input', field, reason },
})

describe('a message from the window', () => {
  it('is answered by the handler of its row', async () => {
    const handlers = withHandlers({
      'settings.read': () => ({ theme: 'dark', terminal: null, terminalFontSize: 13, locale: 'system' }),
    })
    expect(await answerCall(handlers, 'settings.read', {})).toEqual({
      ok: true,
      value: { theme: 'dark', terminal: null, terminalFontSize: 13, locale: 'system' },
    })
  })

  it.each(['nothing.such', 'toString', '__proto__', '', 7, null])(
    'with an unknown name (%j) reaches no handler',
    async (name) => {
      expect(await answerCall(withHandlers({}), name, {})).toEqual(refused('call', 'unknown'))
    },
  )

  it.each([
    [{ account: '../settings' }, 'account'],
    [{}, 'account'],
    [null, 'accounts.forget'],
    ['text', 'accounts.forget'],
  ])('with invalid input (%j) does not reach its handler', async (input, field) => {
    let reached = false
    const handlers = withHandlers({ 'accounts.forget': () => (reached = true) })
    expect(await answerCall(handlers, 'accounts.forget', input)).toEqual(refused(field, 'malformed'))
    expect(reached).toBe(false)
  })

  it('returns a failure as a value, and an exception as a local fault', async () => {
    const failing = (error: Error) =>
      withHandlers({
        'accounts.select': () => {
          throw error
        },
      })
    const expired = { kind: 'not-signed-in', reason: 'expired' } as const
    expect(await answerCall(failing(new FailureError(expired)), 'accounts.select', { account })).toEqual({
      ok: false,
      failure: expired,
    })
    expect(await answerCall(failing(new Error('disk full')), 'accounts.select', { account })).toEqual({
      ok: false,
      failure: { kind: 'local-fault', action: 'accounts.select', reason: 'disk full' },
    })
  })
})
