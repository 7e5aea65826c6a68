import { FailureError } from '#shared/failure'
import { onAbort } from '../core/on-abort'
import { maxPauseSeconds } from '../service/answer'
import { retryTimeoutSeconds, shortPauseSeconds } from '../service/retry-after'
import type { Clock } from '../core/clock'

/** How many of those that waited for a short pause are let go first: they show whether the service answers again. */
const firstThrough = 4
/** Seconds after which the others follow, unless another pause has begun. */
const othersAfter = 0.25

/**
 * The pause that the service asked an account for: nothing is sent until it ends or the person says to try now.
 * `changed` is called when one begins and ends that is not short: requests wait those out.
 */
export function createRequestHold({ now, after }: Clock, changed: () => void) {
  let end: number | null = null
  let isShort = false
  let cancel = (): void => undefined
  const waiting = new Set<() => void>()

  /** Epoch seconds, null where nothing is held. A clock that was set back makes no pause longer. */
  const until = (): number | null =>
    end === null || now() >= end || end - now() > maxPauseSeconds ? null : end

  function letGo(most: number): void {
    for (const settle of [...waiting].slice(0, most)) settle()
    if (waiting.size > 0) cancel = after(othersAfter, () => letGo(waiting.size))
  }

  function release(): void {
    // What waits for others to go first is let go by its own timer.
    if (end === null) return
    cancel()
    end = null
    if (!isShort) changed()
    letGo(firstThrough)
  }

  return {
    /** Epoch seconds, null where none is held but a short one. */
    shown: (): number | null => (isShort ? null : until()),
    release,
    /** Fails with rate-limited while it lasts. */
    check(): void {
      const ends = until()
      if (ends === null) return
      throw new FailureError({ kind: 'rate-limited', retryAfter: Math.ceil(ends - now()), until: ends })
    },
    /** One that ends later takes the place of another. */
    begin(seconds: number): void {
      const ends = now() + Math.min(seconds, maxPauseSeconds)
      if (seconds <= 0 || ends <= (until() ?? 0)) return
      // One that is shown already stays so until its end.
      isShort = (end === null || isShort) && ends - now() <= shortPauseSeconds
      end = ends
      cancel()
      cancel = after(ends - now(), release)
      if (isShort) return
      changed()
      for (const settle of waiting) settle()
    },
    /** Waits for its end where that is near, and for others that follow it, though not for ever. */
    async nearlyEnded(signal?: AbortSignal): Promise<void> {
      const ends = until()
      if (ends === null || ends - now() > shortPauseSeconds || signal?.aborted) return
      await new Promise<void>((resolve) => {
        const giveUp = after(retryTimeoutSeconds, settle)
        waiting.add(settle)
        const stop = onAbort(signal, settle)
        function settle(): void {
          giveUp()
          waiting.delete(settle)
          stop()
          resolve()
        }
      })
    },
  }
}
