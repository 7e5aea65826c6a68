import { FailureError } from '#shared/failure'
import { longestPause } from '../service/answer'
import type { Clock } from '../core/clock'

/**
 * The pause that the service asked an account for: nothing is sent until it ends or the person says to try now.
 * `changed` is called when it begins and ends.
 */
export function createRequestHold({ now, after }: Clock, changed: () => void) {
  let end: number | null = null
  let cancel = (): void => undefined

  /** Epoch seconds, null where nothing is held. A clock that was set back makes no pause longer. */
  const until = (): number | null => (end === null || now() >= end || end - now() > longestPause ? null : end)

  function release(): void {
    cancel()
    if (end === null) return
    end = null
    changed()
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
    },
  }
}
