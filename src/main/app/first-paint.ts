import type { Clock } from '../core/clock'

/** Seconds after which nothing is held back any longer for a window that has painted nothing. */
const longestWait = 3

/**
 * The first paint of the window that a start opens. Work that can wait is held back until then: reading the services
 * takes the processor from the window, and what it paints first is here already.
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
    /** Resolves once it is over: at once while there is no window to wait for, and after 3 s in any case. */
    wait: (): Promise<void> =>
      isAwaited ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(),
    windowChanged(isOpen: boolean): void {
      if (!isOpen) over()
      else if (!isOver && !isAwaited) {
        isAwaited = true
        cancel = clock.after(longestWait, over)
      }
    },
    /** The window shows what it begins with, or the application ends. */
    over,
  }
}
