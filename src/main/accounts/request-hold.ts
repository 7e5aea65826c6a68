import { FailureError } from '#shared/failure'
import { onAbort } from '../core/on-abort'
import { maxPauseSeconds } from '../service/answer'
import { retryTimeoutSeconds, shortPauseSeconds } from '../service/retry-after'
import type { Clock } from '../core/clock'

/** Number of requests released first after a short pause: they show whether the service answers again. */
const maxFirstReleased = 4
/** Delay after which the remaining requests follow, unless another pause began. */
const releaseDelaySeconds = 0.25

/**
 * Holds an account's requests during a pause that the service requested, until the pause ends or the user retries.
 * `changed` is called when a pause begins or ends, except a short one, which requests wait for.
 */
export function createRequestHold({ now, after }: Clock, changed: () => void) {
  let endsAt: number | null = null
  let isShort = false
  let cancelTimer = (): void => undefined
  const waiting = new Set<() => void>()

  /** Returns the end in epoch seconds; null if there is no pause. A pause never gets longer if the clock is set back. */
  const until = (): number | null =>
    endsAt === null || now() >= endsAt || endsAt - now() > maxPauseSeconds ? null : endsAt

  function releaseWaiting(count: number): void {
    for (const resume of [...waiting].slice(0, count)) resume()
    if (waiting.size > 0) cancelTimer = after(releaseDelaySeconds, () => releaseWaiting(waiting.size))
  }

  function release(): void {
    // The timer of an earlier release handles the remaining requests.
    if (endsAt === null) return
    cancelTimer()
    endsAt = null
    if (!isShort) changed()
    releaseWaiting(maxFirstReleased)
  }

  return {
    /** Returns the end in epoch seconds; null without a pause or during a short one. */
    shown: (): number | null => (isShort ? null : until()),
    release,
    /** Fails with rate-limited during a pause. */
    check(): void {
      const ends = until()
      if (ends === null) return
      throw new FailureError({ kind: 'rate-limited', retryAfter: Math.ceil(ends - now()), until: ends })
    },
    /** Begins a pause, unless the current one ends later. */
    begin(seconds: number): void {
      const ends = now() + Math.min(seconds, maxPauseSeconds)
      if (seconds <= 0 || ends <= (until() ?? 0)) return
      // A pause that is already shown stays visible until its end.
      isShort = (endsAt === null || isShort) && ends - now() <= shortPauseSeconds
      endsAt = ends
      cancelTimer()
      cancelTimer = after(ends - now(), release)
      if (isShort) return
      changed()
      for (const resume of waiting) resume()
    },
    /** Waits for the end of a short pause, for a limited time. */
    async nearlyEnded(signal?: AbortSignal): Promise<void> {
      const ends = until()
      if (ends === null || ends - now() > shortPauseSeconds || signal?.aborted) return
      await new Promise<void>((resolve) => {
        const cancelTimeout = after(retryTimeoutSeconds, resume)
        waiting.add(resume)
        const removeListener = onAbort(signal, resume)
        function resume(): void {
          cancelTimeout()
          waiting.delete(resume)
          removeListener()
          resolve()
        }
      })
    },
  }
}
