import { FailureError } from '#shared/failure'
import type { Clock } from '../core/clock'

/** Seconds of a pause that a request waits out: no longer than a person waits for an answer anyway. */
export const shortPause = 5
/** Seconds that a request waits at most, over as many short pauses as come. */
export const retryTimeoutSeconds = 3 * shortPause
/** How often a reading is repeated: a service that answers only some requests is not asked for ever. */
const mostRepeats = 5

/** Whether the service asked for a pause that ends soon, and did nothing. `now` is epoch seconds. */
const isShortPause = (error: unknown, now: number): boolean => {
  const failure = error instanceof FailureError ? error.failure : undefined
  return failure?.kind === 'rate-limited' && failure.until !== undefined && failure.until - now <= shortPause
}

/**
 * Does a reading, and does it again where it was refused for a short pause; `read` waits for the end of one that has
 * begun. Fails as it did last.
 */
export async function throughShortPauses<Answer>(
  read: () => Promise<Answer>,
  now: Clock['now'],
): Promise<Answer> {
  const givesUp = now() + retryTimeoutSeconds
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await read()
    } catch (error) {
      if (repeats === mostRepeats || now() >= givesUp || !isShortPause(error, now())) throw error
    }
  }
}
