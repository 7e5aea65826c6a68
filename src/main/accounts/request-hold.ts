import { FailureError } from '#shared/failure'
import { longestPause } from '../service/answer'
import type { Clock } from '../core/clock'

/** Who waits for the end of a pause, if it comes within so many seconds. */
interface Waiting {
  readonly within: number
  settle(hasEnded: boolean): void
}

/**
 * The pause that the service asked an account for: nothing is sent until it ends or the person says to try now.
 * `changed` is called when it begins and ends.
 */
export function createRequestHold({ now, after }: Clock, changed: () => void) {
  let end: number | null = null
  let cancel = (): void => undefined
  const waiting = new Set<Waiting>()

  /** Epoch seconds, null where nothing is held. A clock that was set back makes no pause longer. */
  const until = (): number | null => (end === null || now() >= end || end - now() > longestPause ? null : end)

  function release(): void {
    cancel()
    if (end === null) return
    end = null
    changed()
    for (const one of waiting) one.settle(true)
  }

  return {
    until,
    release,
    /** Fails with rate-limited while it lasts. */
    check(): void {
      const ends = until()
      if (ends === null) return
      throw new FailureError({ kind: 'rate-limited', retryAfter: Math.ceil(ends - now()), until: ends })
    },
    /** One that ends later takes the place of another. */
    begin(seconds: number): void {
      const ends = now() + Math.min(seconds, longestPause)
      if (seconds <= 0 || ends <= (until() ?? 0)) return
      end = ends
      cancel()
      cancel = after(ends - now(), release)
      changed()
      for (const one of waiting) if (ends - now() > one.within) one.settle(false)
    },
    /** Waits for its end: true once nothing is held. False, at once, where that takes more seconds than `within`. */
    ended(within: number, signal?: AbortSignal): Promise<boolean> {
      const ends = until()
      if (ends === null) return Promise.resolve(true)
      if (ends - now() > within || signal?.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const settle = (hasEnded: boolean): void => {
          waiting.delete(one)
          signal?.removeEventListener('abort', abort)
          resolve(hasEnded)
        }
        const abort = (): void => settle(false)
        const one: Waiting = { within, settle }
        waiting.add(one)
        signal?.addEventListener('abort', abort)
      })
    },
  }
}
