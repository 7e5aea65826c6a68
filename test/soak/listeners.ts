import { EventEmitter, getEventListeners } from 'node:events'
import { Session } from 'node:inspector/promises'

/** Listeners referenced by a live object. */
export interface Listeners {
  /** Listeners of the application's own Emitters (shared/emitter.ts). */
  readonly own: number
  /** Listeners of Node's emitters: sockets, streams, processes. */
  readonly node: number
  /** Listeners of abort signals. */
  readonly abort: number
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
const isEntry = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'call'

const kinds = {
  own: {
    prototype: Set.prototype,
    /** An Emitter keeps each listener as `{ call }` in a Set. Prototypes of Node's classes do not count. */
    count: (set: Set<unknown>) =>
      Object.hasOwn(set, 'constructor') ? 0 : [...set.keys()].filter(isEntry).length,
  },
  node: {
    prototype: EventEmitter.prototype,
    // A prototype has no events of its own, and its getter would throw.
    count: (emitter: EventEmitter) =>
      Reflect.get(emitter, '_events')
        ? sum(emitter.eventNames().map((name) => emitter.listenerCount(name)))
        : 0,
  },
  abort: {
    prototype: AbortSignal.prototype,
    count: (signal: AbortSignal) => getEventListeners(signal, 'abort').length,
  },
} as const

/** Names for code that the inspector evaluates. */
Object.defineProperty(globalThis, 'soakKinds', { value: kinds })

/** Counts in the whole heap, after a collection by the inspector. */
export async function countListeners(): Promise<Listeners> {
  const session = new Session()
  session.connect()
  async function counted(kind: keyof typeof kinds): Promise<number> {
    const { result: prototype } = await session.post('Runtime.evaluate', {
      expression: `soakKinds.${kind}.prototype`,
    })
    // Node's types do not list objectGroup for this call.
    const query = { prototypeObjectId: prototype.objectId ?? '', objectGroup: 'soak' }
    const { objects } = await session.post('Runtime.queryObjects', query)
    const { result, exceptionDetails } = await session.post('Runtime.callFunctionOn', {
      functionDeclaration: `function () {
        return this.reduce((all, one) => all + soakKinds.${kind}.count(one), 0)
      }`,
      objectId: objects.objectId ?? '',
      returnByValue: true,
    })
    await session.post('Runtime.releaseObjectGroup', { objectGroup: 'soak' })
    if (exceptionDetails || typeof result.value !== 'number')
      throw new Error(`cannot count ${kind}: ${exceptionDetails?.exception?.description ?? 'no number'}`)
    return result.value
  }
  try {
    return { own: await counted('own'), node: await counted('node'), abort: await counted('abort') }
  } finally {
    session.disconnect()
  }
}
