type Listener = (payload: unknown) => void

/**
 * Who in the page listens to which event. The channel of the main process has one listener, whatever the page has: Node
 * takes more than ten on one channel for a leak, and says so.
 */
export const createListeners = () => {
  const byEvent = new Map<string, Set<{ readonly listener: Listener }>>()
  return {
    /** Calls `listener` on each event of this name until the returned function is called. */
    add(name: string, listener: Listener): () => void {
      const entries = byEvent.get(name) ?? new Set()
      byEvent.set(name, entries)
      const entry = { listener }
      entries.add(entry)
      return () => {
        entries.delete(entry)
      }
    },
    emit(name: string, payload: unknown): void {
      for (const { listener } of [...(byEvent.get(name) ?? [])]) listener(payload)
    },
  }
}
