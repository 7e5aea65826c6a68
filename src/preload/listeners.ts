import { createEmitter, type Emitter } from '#shared/emitter'

/** Event listeners of the page. The channel has one listener for all of them, as Node reports a leak above ten. */
export const createListeners = () => {
  const emitters = new Map<string, Emitter<unknown>>()
  return {
    /** Calls `listener` for each event of this name. Returns a function that unsubscribes. */
    add(name: string, listener: (payload: unknown) => void): () => void {
      const emitter = emitters.get(name) ?? createEmitter()
      emitters.set(name, emitter)
      return emitter.on(listener)
    },
    emit: (name: string, payload: unknown): void => emitters.get(name)?.emit(payload),
  }
}
