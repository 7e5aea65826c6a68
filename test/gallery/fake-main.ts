import type { Answer, EventName, EventPayload, Handlers } from '#shared/bridge/index'
import type { BridgeApi } from '#shared/bridge/channels'
import { failureOf } from '#shared/failure'

/** What a handler returns where the answer is still on its way when the picture is taken. */
export const never: Promise<never> = new Promise(() => undefined)

/** The main process as one state of the gallery, or one test, has it. */
export interface FakeMain extends BridgeApi {
  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>): void
  /** Resolves once every call is answered that will be. */
  settled(): Promise<void>
  /** Calls and streams by name and input, in their order. */
  readonly calls: readonly (readonly [name: string, input: unknown])[]
  /** Calls that have no handler. */
  readonly unanswered: string[]
}

/** Macrotasks that a state may take to come to rest. */
const rounds = 200
/** One macrotask: a timer would wait for milliseconds, and for a second in a window that nobody sees. */
const later = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/** Answers the calls that `handlers` name; all others fail with local-fault, and are recorded. */
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
    // No port comes: what opens one is shown as it is before the first message.
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
  /** The one that the window talks to: once modules were reset there may be a bridge from before and one from after. */
  var fakeMain: FakeMain
}
globalThis.fakeMain ??= createFakeMain({})

/** From here on the window talks to this one. What was subscribed before stays with the one before. */
export function useFakeMain(main: FakeMain): void {
  globalThis.fakeMain = main
}

const api: BridgeApi = {
  call: (name, input) => globalThis.fakeMain.call(name, input),
  on: (name, listener) => globalThis.fakeMain.on(name, listener),
  stream: (name, input) => globalThis.fakeMain.stream(name, input),
}
// The window's bridge is created when its module is loaded: this one has to be loaded before.
Object.defineProperty(window, 'wheelhouse', { value: api, configurable: true })
