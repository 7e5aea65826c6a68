import { describe, expect, it, vi } from 'vitest'
import { reactive } from 'vue'
import { FailureError, type Failure } from '#shared/failure'

vi.stubGlobal('window', { wheelhouse: {} })
const { createBridge } = await import('./bridge')

const account = 'a1b2c3d4e5f6'

/** Creates a bridge whose calls return `answer`. */
function bridgeTo(answer: (name: string, input: unknown) => unknown) {
  const listeners = new Map<string, (payload: unknown) => void>()
  const bridge = createBridge({
    call: (name, input) => Promise.resolve(answer(name, input)),
    on(name, listener) {
      listeners.set(name, listener)
      return () => listeners.delete(name)
    },
    stream: () => '',
  })
  return { bridge, emit: (name: string, payload: unknown) => listeners.get(name)?.(payload) }
}
const failureOfCall = async (act: () => Promise<unknown>): Promise<Failure> => {
  const error: unknown = await act().then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  )
  if (error instanceof FailureError) return error.failure
  throw error
}

describe('a call', () => {
  it('returns the value of the answer', async () => {
    const { bridge } = bridgeTo(() => ({
      ok: true,
      value: { theme: 'dark', terminal: null, terminalFontSize: 13, locale: 'system' },
    }))
    expect(await bridge.call('settings.read', {})).toEqual({
      theme: 'dark',
      terminal: null,
      terminalFontSize: 13,
      locale: 'system',
    })
  })

  it('throws a failure that arrives as a value', async () => {
    const failure = { kind: 'offline' } as const
    const { bridge } = bridgeTo(() => ({ ok: false, failure }))
    expect(await failureOfCall(() => bridge.call('fleet.refresh', { account }))).toEqual(failure)
  })

  it.each([
    ['no answer at all', undefined],
    ['an answer of another shape', { ok: true, value: { theme: 'pink', terminal: null } }],
    ['a failure of unknown kind', { ok: false, failure: { kind: 'mystery' } }],
  ])('rejects %s', async (_what, answer) => {
    const { bridge } = bridgeTo(() => answer)
    expect(await failureOfCall(() => bridge.call('settings.read', {}))).toMatchObject({
      kind: 'unexpected-answer',
      expected: 'settings.read',
    })
  })

  it('drops fields that the contract does not name', async () => {
    const value = { theme: 'dark', terminal: null, terminalFontSize: 13, locale: 'system' }
    const { bridge } = bridgeTo(() => ({ ok: true, value: { ...value, extra: 'field' } }))
    expect(await bridge.call('settings.read', {})).toEqual(value)
  })

  it('sends reactive input as plain data', async () => {
    const inputs: unknown[] = []
    const { bridge } = bridgeTo((_name, input) => {
      inputs.push(structuredClone(input))
      return { ok: true, value: undefined }
    })
    const note = reactive({ text: 'for the paper', tags: ['a'] })
    await bridge.call('notes.change', { account, resource: 'm1', note })
    expect(inputs).toEqual([{ account, resource: 'm1', note: { text: 'for the paper', tags: ['a'] } }])
  })
})

describe('an event', () => {
  it('reaches its listener until the listener unsubscribes', () => {
    const { bridge, emit } = bridgeTo(() => undefined)
    const listener = vi.fn()
    const stop = bridge.on('settings.changed', listener)
    emit('settings.changed', { theme: 'light', terminal: null, terminalFontSize: 13, locale: 'system' })
    stop()
    emit('settings.changed', { theme: 'dark', terminal: null, terminalFontSize: 13, locale: 'system' })
    expect(listener.mock.calls).toEqual([
      [{ theme: 'light', terminal: null, terminalFontSize: 13, locale: 'system' }],
    ])
  })

  it('is dropped and logged if it breaks the contract', () => {
    const reported = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const { bridge, emit } = bridgeTo(() => undefined)
    const listener = vi.fn()
    bridge.on('settings.changed', listener)
    emit('settings.changed', { theme: 42 })
    expect(listener).not.toHaveBeenCalled()
    expect(reported).toHaveBeenCalledOnce()
  })
})
