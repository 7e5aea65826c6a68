/** Time as modules see it, so that tests can set it. */
export interface Clock {
  /** Epoch seconds. */
  now(): number
  /** Runs `task` once, `seconds` from now. Returns a function that cancels it. */
  after(seconds: number, task: () => void): () => void
}

/** A clock that can also measure, unaffected by changes of the computer's time. */
export interface MonotonicClock extends Clock {
  /** Seconds since some moment of this run; they never go back. */
  monotonic(): number
}

/** Milliseconds of the longest wait that a timer takes: beyond that it ends at once. */
const longestWait = 2 ** 31 - 1

export const systemClock: MonotonicClock = {
  now: () => Date.now() / 1000,
  monotonic: () => performance.now() / 1000,
  after(seconds, task) {
    const wait = Math.min(seconds * 1000, longestWait)
    const rest = seconds - wait / 1000
    let cancelRest = (): void => undefined
    const timer = setTimeout(() => {
      if (rest > 0) cancelRest = systemClock.after(rest, task)
      else task()
    }, wait)
    return () => {
      clearTimeout(timer)
      cancelRest()
    }
  },
}

/** Lets whatever else waits for the event loop run, between two pieces of a long task. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
