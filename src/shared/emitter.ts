type Listener<Value> = (value: Value) => void
/** Adds a listener. Returns a function that removes it. */
export type Subscribe<Value> = (listener: Listener<Value>) => () => void

export interface Emitter<Value> {
  readonly on: Subscribe<Value>
  emit(value: Value): void
  clear(): void
}

/** Creates one kind of event. All listeners run even if one throws; the first error is rethrown last. */
export function createEmitter<Value>(): Emitter<Value> {
  const listeners = new Set<{ readonly call: Listener<Value> }>()
  return {
    on(listener) {
      const entry = { call: listener }
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    emit(value) {
      const errors: unknown[] = []
      for (const { call } of Array.from(listeners)) {
        try {
          call(value)
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
    clear: () => listeners.clear(),
  }
}
