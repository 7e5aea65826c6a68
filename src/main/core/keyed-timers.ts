import type { Clock } from './clock'

/** One timer per key. After `close`, `set` does nothing. */
export function createKeyedTimers(after: Clock['after'], report: (error: unknown) => void) {
  const timers = new Map<string, () => void>()
  let closed = false

  function cancel(id: string): void {
    timers.get(id)?.()
    timers.delete(id)
  }

  return {
    set(id: string, seconds: number, task: () => Promise<void>): void {
      cancel(id)
      if (closed) return
      timers.set(
        id,
        after(seconds, () => {
          timers.delete(id)
          task().catch(report)
        }),
      )
    },
    cancel,
    isClosed: (): boolean => closed,
    close(): void {
      closed = true
      for (const id of timers.keys()) cancel(id)
    },
  }
}
export type KeyedTimers = ReturnType<typeof createKeyedTimers>
