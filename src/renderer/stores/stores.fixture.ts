import { createPinia, setActivePinia } from 'pinia'
import { vi } from 'vitest'
import type { AccountView } from '#shared/bridge/account'
import type { CallName, EventName, EventPayload } from '#shared/bridge/index'
import { failureOf } from '#shared/failure'

export const accountNamed = (id: string, changes: Partial<AccountView> = {}): AccountView => ({
  id,
  label: id,
  baseUrl: 'https://api.example.com/api/v1',
  credential: 'password',
  username: 'anna',
  sandbox: false,
  state: 'signed-in',
  staysSignedIn: true,
  heldUntil: null,
  failure: null,
  ...changes,
})

/** Fakes the main process and resets all modules. Must run before the module under test is imported. */
export function mainProcess(handlers: Partial<Record<CallName, (input: never) => unknown>>) {
  const listeners = new Map<string, (payload: unknown) => void>()
  const answer = async (name: string, input: unknown): Promise<unknown> => {
    const handler: unknown = Reflect.get(handlers, name)
    if (typeof handler !== 'function') throw new Error(`no handler for ${name}`)
    try {
      const value: unknown = await Reflect.apply(handler, undefined, [input])
      return { ok: true, value }
    } catch (error) {
      return { ok: false, failure: failureOf(error, name) }
    }
  }
  vi.resetModules()
  vi.stubGlobal('window', {
    performance,
    wheelhouse: {
      call: answer,
      on: (name: string, listener: (payload: unknown) => void) => {
        listeners.set(name, listener)
        return () => listeners.delete(name)
      },
    },
  })
  setActivePinia(createPinia())
  return {
    push: <Name extends EventName>(name: Name, payload: EventPayload<Name>) => listeners.get(name)?.(payload),
  }
}
