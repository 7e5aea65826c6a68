import type { Answer, EventName, EventPayload, Handlers } from '#shared/bridge/index'
import type { BridgeApi } from '#shared/bridge/channels'
import { failureOf } from '#shared/failure'

/** A handler's result for an answer that is still pending when the picture is taken. */
export const never: Promise<never> = new Promise(() => undefined)

/** The main process of one state of the gallery, or of one test. */
export interface FakeMain extends BridgeApi {
  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>): void
  /** Resolves once every call has its answer, if it gets one. */
  settled(): Promise<void>
  /** Calls and streams by name and input, in order. */
  readonly calls: readonly (readonly [name: string, input: unknown])[]
  /** Calls without a handler. */
  readonly unanswered: string[]
}

/** Macrotasks after which a state must have settled. */
const rounds = 200
/** One macrotask: a timer would wait for milliseconds, and for a second in a hidden window. */
const later = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/** Answers the calls in `handlers`; all other calls fail with local-fault, and are recorded. */
export function createFakeMain(handlers: Partial<Handlers>): FakeMain {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const calls: (readonly [string, unknown])[] = []
  const unanswered: string[] = []
  let pending = 0

  async function answer(name: string, input: unknown): Promise<Answer> {
    const handler: unknown = Reflect.get(handlers, name)
    if (typeof handler !== 'function') {
      unanswered.push(name)
      return { ok: false, failure: { kind: 'local-fault', action: name, reason: 'no handler' } }
    }
    try {
      const answered: unknown = Reflect.apply(handler, undefined, [input])
      if (answered === never) return await never
      pending += 1
      try {
        return { ok: true, value: await answered }
      } finally {
        pending -= 1
      }
    } catch (error) {
      return { ok: false, failure: failureOf(error, name) }
    }
  }

  return {
    calls,
    unanswered,
    call(name, input) {
      calls.push([name, input])
      return answer(name, input)
    },
    on(name, listener) {
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      return () => all.delete(listener)
    },
    // No port arrives: streams look as before their first message.
    stream(name, input) {
      calls.push([name, input])
      return name
    },
    emit: (name, payload) => {
      for (const listener of listeners.get(name) ?? []) listener(payload)
    },
    async settled() {
      for (let round = 0; round < rounds && (round < 2 || pending > 0); round += 1) await later()
      if (pending > 0) throw new Error(`${String(pending)} calls are not answered`)
    },
  }
}

declare global {
  /** The fake that the window uses: after a reset of modules there may be an old bridge and a new one. */
  var fakeMain: FakeMain
}
globalThis.fakeMain ??= createFakeMain({})

/** Makes the window use this fake. Existing subscriptions stay with the previous one. */
export function useFakeMain(main: FakeMain): void {
  globalThis.fakeMain = main
}

const api: BridgeApi = {
  call: (name, input) => globalThis.fakeMain.call(name, input),
  on: (name, listener) => globalThis.fakeMain.on(name, listener),
  stream: (name, input) => globalThis.fakeMain.stream(name, input),
}
// The window's bridge is created when its module loads: this file has to be loaded first.
Object.defineProperty(window, 'wheelhouse', { value: api, configurable: true })
