import type { Clock } from '../core/clock'

/** Seconds after which deferred work starts even if the window has not painted. */
const maxWaitSeconds = 3

/**
 * Tracks the first paint of the window that opens at start. Deferrable work waits for it, because reading the
 * services slows the window down, and the first paint needs no data from them.
 */
export function createFirstPaint(clock: Pick<Clock, 'after'>) {
  const waiting: (() => void)[] = []
  let isOver = false
  let isAwaited = false
  let cancel = (): void => undefined

  function over(): void {
    isOver = true
    isAwaited = false
    cancel()
    waiting.splice(0).forEach((resolve) => resolve())
  }

  return {
    /** Resolves after the first paint: at once without a window, after 3 s at the latest. */
    wait: (): Promise<void> =>
      isAwaited ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(),
    windowChanged(isOpen: boolean): void {
      if (!isOpen) over()
      else if (!isOver && !isAwaited) {
        isAwaited = true
        cancel = clock.after(maxWaitSeconds, over)
      }
    },
    /** Call when the window has painted, or the application closes. */
    over,
  }
}
