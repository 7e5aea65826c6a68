export interface Clock {
  /** Epoch seconds. */
  now(): number
  /** Runs `task` once, `seconds` from now. Returns a function that cancels it. */
  after(seconds: number, task: () => void): () => void
}

/** A clock that also measures durations, unaffected by changes of the computer's time. */
export interface MonotonicClock extends Clock {
  /** Seconds since an arbitrary moment of this run. Never decreases. */
  monotonic(): number
}

/** Longest delay of setTimeout in milliseconds. It fires at once for longer delays. */
const maxTimeoutMs = 2 ** 31 - 1

export const systemClock: MonotonicClock = {
  now: () => Date.now() / 1000,
  monotonic: () => performance.now() / 1000,
  after(seconds, task) {
    const waitMs = Math.min(seconds * 1000, maxTimeoutMs)
    const restSeconds = seconds - waitMs / 1000
    let cancelRest = (): void => undefined
    const timer = setTimeout(() => {
      if (restSeconds > 0) cancelRest = systemClock.after(restSeconds, task)
      else task()
    }, waitMs)
    return () => {
      clearTimeout(timer)
      cancelRest()
    }
  },
}

export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
