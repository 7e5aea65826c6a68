import { createEmitter, type Emitter } from '#shared/emitter'

/**
 * Who in the page listens to which event. The channel of the main process has one listener, whatever the page has: Node
 * takes more than ten on one channel for a leak, and says so.
 */
export const createListeners = () => {
  const emitters = new Map<string, Emitter<unknown>>()
  return {
    /** Calls `listener` on each event of this name until the returned function is called. */
    add(name: string, listener: (payload: unknown) => void): () => void {
      const emitter = emitters.get(name) ?? createEmitter()
      emitters.set(name, emitter)
      return emitter.on(listener)
    },
    emit: (name: string, payload: unknown): void => emitters.get(name)?.emit(payload),
  }
}
